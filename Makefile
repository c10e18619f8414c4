# Everything runs through npm scripts, so that it is the Node of this repository (24) that runs, whatever the machine has.
SHELL := /bin/sh
.DEFAULT_GOAL := help
MODE ?= one

.PHONY: help install build start servers servers-stop test check unit integration integration-real integration-containers e2e screenshots chaos fuzz double-submits canary bench memory-check load web-budgets openapi saga images up down dlq admin export-person erase-person reconcile rebuild-bookings checklist k8s-secrets k8s-proof observe monitoring simulate audit sbom release-images backup restore contract-suppliers clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

node_modules/.installed: package.json package-lock.json
	npm ci --no-fund --no-audit --loglevel=error
	@touch $@

install: node_modules/.installed ## Install what package-lock.json says

WEB_SOURCES := $(shell find web/src web/public web/index.html web/vite.config.ts web/pages.ts web/compress.ts packages/contracts -type f -not -name '*.test.*' 2>/dev/null)
web/dist/.built: node_modules/.installed $(WEB_SOURCES)
	npm run --silent build:web
	@touch $@

build: web/dist/.built ## Build the website into web/dist

start: web/dist/.built ## Start everything on http://localhost:8080 (PORT=, SERVERS=real, MODE=processes REPLICAS=2)
	@npm run --silent start:$(MODE)

observe: web/dist/.built ## As MODE=processes, with traces and metrics on http://localhost:8095 (OTEL_EXPORTER_OTLP_ENDPOINT= gets them too)
	@npm run --silent observe

servers: node_modules/.installed ## Start real MongoDB, Kafka and Redis from this machine's programs, data in .data/servers
	@npm run --silent servers

servers-stop: ## Stop them
	@npm run --silent servers:stop

test: web/dist/.built ## Everything that must hold before a commit
	npm run --silent test

check: node_modules/.installed ## Types, lint, import directions, drift
	npm run --silent check

unit: node_modules/.installed ## Pure tests
	npm run --silent test:unit

integration: node_modules/.installed ## Services and emulators over HTTP and the bus
	npm run --silent test:int

integration-real: node_modules/.installed ## The same on this machine's real MongoDB, Kafka and Redis
	npm run --silent test:int:real

integration-containers: node_modules/.installed ## The same on official images, where a Docker engine answers
	npm run --silent test:int:containers

e2e: web/dist/.built ## A browser on the whole local system (CHROMIUM_PATH= names one, or npm)
	npm run --silent test:e2e

screenshots: web/dist/.built ## Pictures of every screen in three brands into screenshots/, and those of the README
	npm run --silent screenshots

bench: node_modules/.installed ## Requests per second of the gateway beside bare node, in turns (needs wrk; TURNS=, SECONDS=)
	npm run --silent bench -- $(ARGS)

memory-check: node_modules/.installed ## Random questions through the gateway's memory and past it (QUESTIONS=10000 SEED=7)
	QUESTIONS=$(or $(QUESTIONS),10000) npm run --silent test:memory

load: node_modules/.installed ## One k6 scenario against BASE_URL (SCENARIO=smoke|steady|ramp|spike|cold|paging|funnel|polling|soak|abuse RATE= DURATION=)
	@npm run --silent load -- $(or $(SCENARIO),smoke)

web-budgets: web/dist/.built ## Sizes of the website's first views; with LIGHTHOUSE_URL=http://localhost:8080, a running system, its scores too
	@npm run --silent web-budgets

openapi: node_modules/.installed ## Write gateway/openapi.json from the contracts
	npm run --silent openapi

saga: node_modules/.installed ## Write docs/saga.md from the table of a booking's transitions
	npm run --silent saga

images: ## Build the images of every process, with the tag `local`
	docker compose build

up: ## The whole system in containers, gateway on http://localhost:8080 (works with an empty .env)
	docker compose up --build --detach --wait

down: ## Stop the containers; the data stays in its volumes
	docker compose down

chaos: web/dist/.built ## One fault campaign on real servers (SCENARIO=everything|list SEED=1 BOOKINGS= MINUTES= RATE= KILLS= REPEAT= POINTS= REACH= FROM=)
	@SCENARIO='$(SCENARIO)' SEED='$(SEED)' BOOKINGS='$(BOOKINGS)' MINUTES='$(MINUTES)' RATE='$(RATE)' KILLS='$(KILLS)' REPEAT='$(REPEAT)' POINTS='$(POINTS)' REACH='$(REACH)' FROM='$(FROM)' npm run --silent chaos

fuzz: web/dist/.built ## Malformed requests to the whole product (REQUESTS=10000 SEED=1)
	npm run --silent fuzz -- $(or $(REQUESTS),10000) $(or $(SEED),1)

simulate: node_modules/.installed ## Bookings and payments in virtual time under seeded faults (SEED=1 RUNS=100; MUTANTS=1: each mistake in the product is noticed)
	@SEED=$(SEED) RUNS=$(RUNS) MUTANTS=$(MUTANTS) STORY=$(STORY) npm run --silent simulate

double-submits: web/dist/.built ## Every button pressed many times at once, at two gateways of the whole product (ROUNDS=1000 CLICKS=50 CALLS=20)
	npm run --silent double-submits -- $(or $(ROUNDS),1000) $(or $(CLICKS),50) $(or $(CALLS),20)

canary: web/dist/.built ## Marked secrets through the whole product, kills included, then looked for everywhere (JOURNEYS=200)
	npm run --silent canary -- $(or $(JOURNEYS),200)

dlq: node_modules/.installed ## Dead letters: make dlq ARGS="list | show | redrive | drop --group booking-mail [--id ID] [--apply]"
	@npm run --silent dlq -- $(ARGS)

admin: node_modules/.installed ## Make an administrator: MONGO_URL=... make admin EMAIL=a@example.org (BRANDS=a,b of these alone, REVOKE=1 takes the role back)
	@npm run --silent admin -- --email '$(EMAIL)' $(if $(BRANDS),--brands '$(BRANDS)') $(if $(REVOKE),--revoke)

PERSON = node_modules/.bin/node --disable-warning=TimeoutNegativeWarning services/$$service/person.ts --email '$(EMAIL)'
FIND_PERSON = service=identity; user=$$($(PERSON) --id) || exit $$?; service=booking; payments=$$($(PERSON) --user "$$user" --id) || exit $$?
EACH_KEEPER = $(FIND_PERSON); for service in payment booking brand identity; do $(PERSON) --user "$$user" --payments "$$payments"
export-person: node_modules/.installed ## What is kept of one person: MONGO_URL=... make export-person EMAIL=a@example.org
	@$(EACH_KEEPER) || exit $$?; done

erase-person: node_modules/.installed ## What erasing it would do; with APPLY=1 it is erased: MONGO_URL=... make erase-person EMAIL=a@example.org
	@$(EACH_KEEPER) --erase $(if $(APPLY),--apply) || exit $$?; done

reconcile: node_modules/.installed ## One day against the suppliers' own books: MONGO_URL=... make reconcile DAY=2026-11-21 (LIVE=1)
	@npm run --silent reconcile -- $(if $(DAY),--day '$(DAY)') $(if $(LIVE),--live)

rebuild-bookings: node_modules/.installed ## Bookings that a restored copy has lost, made again from supplier and card records: MONGO_URL=... make rebuild-bookings DAY= (LIVE=1 APPLY=1)
	@npm run --silent rebuild-bookings -- $(if $(DAY),--day '$(DAY)') $(if $(LIVE),--live) $(if $(APPLY),--apply)

backup: node_modules/.installed ## Copy all databases into an empty folder while everything runs: MONGO_URL=... make backup DIR=/safe/2026-11-22 (NAMESPACE=)
	@npm run --silent backup -- backup '$(DIR)'

restore: node_modules/.installed ## What putting that copy back would do; with APPLY=1 it is done, with all services stopped: MONGO_URL=... make restore DIR=...
	@npm run --silent backup -- restore '$(DIR)' $(if $(APPLY),--apply)

contract-suppliers: node_modules/.installed ## The same calls to the suppliers' test environments and to the simulators (DUFFEL_TEST_TOKEN=, STRIPE_TEST_KEY=); fails where they differ
	@npm run --silent contract-suppliers

checklist: node_modules/.installed ## How many lines of behaviour the tests name, and which they do not
	@npm run --silent checklist

k8s-secrets: node_modules/.installed ## Secrets for the overlays local and dev of k8s/ (kept where they are, never committed)
	@npm run --silent k8s:secrets

k8s-proof: node_modules/.installed ## Releases, outages and scaling on the cluster that kubectl leads to, in its namespace passerelle (STEPS=, BASE_URL=)
	@npm run --silent k8s:proof

monitoring: node_modules/.installed ## Write the rules and the collector of k8s/ from infra/observability
	@npm run --silent monitoring

audit: ## Known weaknesses of what runs in production; fails from "high"
	npm audit --omit=dev --audit-level=high

sbom: ## What the product is made of, as CycloneDX in sbom.json
	npm sbom --sbom-format cyclonedx --omit dev >sbom.json

RELEASED := search booking payment identity brand topics gateway
release-images: ## Build, push and note in digests.txt the images of a release (REGISTRY=, VERSION=, NODE_IMAGE= with its digest)
	@case '$(NODE_IMAGE)' in *@sha256:*) ;; *) echo 'NODE_IMAGE has to be named with its digest'; exit 2 ;; esac
	@: >digests.txt
	@set -e; for name in $(RELEASED); do \
	  case $$name in gateway) folder=gateway target=with-website ;; topics) folder=infra/kafka target=service ;; *) folder=services/$$name target=service ;; esac; \
	  docker buildx build --push --provenance=mode=max --sbom=true --target $$target --build-arg NODE='$(NODE_IMAGE)' --build-arg SERVICE=$$folder \
	    --tag '$(REGISTRY)'/$$name:'$(VERSION)' --metadata-file .release.json .; \
	  echo "$$name $$(node -p 'JSON.parse(require("fs").readFileSync(".release.json"))["containerimage.digest"]')" >>digests.txt; \
	done; rm .release.json

clean: ## Remove what was built and the local data
	rm -rf web/dist .data test-results
