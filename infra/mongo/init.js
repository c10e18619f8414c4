// The replica set, and one user per service with rights on its own database only. Safe to repeat.
const fs = require('node:fs')
const admin = db.getSiblingDB('admin')
admin.auth('root', fs.readFileSync('/secrets/root', 'utf8').trim())
try {
  rs.status()
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] })
}
while (!db.hello().isWritablePrimary) sleep(200)
for (const name of ['search', 'booking', 'payment', 'identity', 'brand']) {
  const own = db.getSiblingDB(name)
  const pwd = fs.readFileSync(`/secrets/${name}`, 'utf8').trim()
  if (own.getUser(name)) own.updateUser(name, { pwd })
  else
    own.createUser({
      user: name,
      pwd,
      roles: [
        { role: 'readWrite', db: name },
        { role: 'dbAdmin', db: name },
      ],
    })
}
print('replica set and users are there')
