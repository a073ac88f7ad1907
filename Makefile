# The service's chores. Each target finds or installs what it needs; only Go itself must be there.
export PATH := $(PATH):/usr/local/go/bin
export CGO_ENABLED ?= 0
# Without what debuggers read, which the linker leaves out of programs anyway: compiling takes an eighth less.
export GOFLAGS ?= -gcflags=all=-dwarf=false

with_postgres := scripts/with-postgres
with_browser := scripts/with-browser
with_s3 := scripts/with-s3
browser_tests := internal/contract/browser

.PHONY: generate playground staff client lighthouse tools build run test quick check fuzz bench crash upgrade migrations
.PHONY: shops money hostile imports failover soak fulldisk backups uploads dashboard migration release image try-image weight
.PHONY: pooler proxies

# The code that follows from ent/schema and schema.graphql. It leaves no diff when all is committed.
generate:
	go run ./internal/generate/enums
	go generate ./ent .
	go run ./internal/generate/openapi
	go -C examples/graphql-go generate

# GraphiQL as it is served, from npm's sources (needs Node.js 20). It leaves no diff either.
playground:
	cd internal/pages/web && npm ci && npm run build

# The page of staff as it is served, from TypeScript and npm's packages (needs Node.js 20). It leaves no diff either.
staff:
	cd internal/pages/staff && npm ci && npm run build && npm test

# The client library of clients/js and its documentation, from its types (needs Node.js 20); its tests, and what
# `npm publish` in that folder would publish.
client:
	scripts/build-client
	cd clients/js && npm run --silent docs && npm test && npm pack --dry-run

# What Lighthouse says of the page of staff on a phone with a slow line, in both languages: it fails below 95 for
# accessibility and best practices and 90 for speed; a minute. Then how long a list of 10,000 products lets its
# reader wait.
lighthouse: build
	scripts/npm-ci $(browser_tests)/measure
	$(with_browser) node $(browser_tests)/measure/lighthouse.mjs bin/storefront
	$(with_browser) node $(browser_tests)/measure/list.mjs bin/storefront

# What the tools of clients find, on both databases: openapi-typescript, oapi-codegen, genqlient, GraphQL Code
# Generator, Apollo Client, Graphcache, Relay's compiler, graphql-sse, graphql-http, Spectral, Redocly, orval, Prism and
# GraphQL Inspector; in a browser gql.tada and axe; Inspector once more on the schema of the last release; then
# Lighthouse. But for the last two they are tests, and run in `make test`, too.
tool_tests := ^TestExamples$$|ClientCaches|TestRelay$$|GraphQLSSE|GraphQLAudit|GraphQLTools|OpenAPITools
tools:
	$(with_postgres) $(with_s3) go test -count=1 $(test_flags) -run '$(tool_tests)' ./examples ./internal/contract/api
	$(with_postgres) $(with_browser) go -C $(browser_tests) test -count=1 $(test_flags) \
		-run 'TestStorefrontInBrowser|WithAxeInBrowser|TestStaffFirstDayInBrowser' .
	scripts/compare-schema
	$(MAKE) lighthouse

# One static binary: bin/storefront. `storefront version` prints the tag or commit it is built from, or VERSION=1.2.0.
# Its packages are compiled as for the tests, so that both use them.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
COMMIT := $(shell git rev-parse HEAD 2>/dev/null)
build:
	go build -ldflags='-s -X "main.version=$(VERSION)" -X "main.commit=$(COMMIT)"' \
		-o bin/storefront ./cmd/storefront

# The archives of a release with checksums and a list of modules, in dist/: the same bytes for the same commit.
release:
	scripts/release '$(VERSION)' dist

# The image storefront of deploy/Dockerfile, by buildah. Docker's format, as the other one has no health check. The
# same commit gives the same layers, as -trimpath leaves folders out of the program and the files are of the commit's
# time; in Docker's format buildah writes the id of its container into the configuration.
image: export GOFLAGS := -trimpath
image: build
	buildah bud --format docker --timestamp "$$(git log -1 --format=%ct)" -t storefront -f deploy/Dockerfile .

# Run the files of the image by chroot, with a provider of SMS and a bucket behind TLS; it needs root. Then, where podman
# is, run the image as it is meant to run, and look from outside whether it is confined, healthy and keeps its data.
# PODMANFLAGS='--runtime runc' for more flags of podman run.
try-image: build
	$(with_s3) go run ./cmd/trial image
	if command -v podman && command -v buildah; then $(MAKE) image && PODMANFLAGS='$(PODMANFLAGS)' scripts/try-image; fi

# Build, and serve the demo shops from a database file in this folder.
run: build
	bin/storefront serve --demo

# Every test, on SQLite and on a PostgreSQL and a bucket of its own, and in a browser: ten to twenty-five minutes on
# two cores. It prints the seconds of each package and the slowest tests. The browser's pictures: ARTEFACTS=folder.
test_flags := -timeout 30m -ldflags=-s $(if $(ARTEFACTS),-artifacts -outputdir $(abspath $(ARTEFACTS)))
test:
	$(with_postgres) $(with_s3) $(with_browser) scripts/test-modules $(test_flags)

# The tests of the contract on PostgreSQL behind PgBouncer, with deploy/pgbouncer.ini; ten minutes.
# POOLERFLAGS='-run TestSheets/postgres' for some of them. Left out are those whose connections set what PgBouncer
# refuses: a deadlock_timeout, so that waiting for a lock is no deadlock (HotVariant, ErasingBesideTheCustomer), and a
# short statement_timeout (SurviveTemporaryFailures).
not_pooled := HotVariant|ErasingBesideTheCustomer|SurviveTemporaryFailures
pooler:
	$(with_postgres) scripts/with-pgbouncer $(with_s3) go test -timeout 30m -ldflags=-s -run '/^postgres$$' \
		-skip '$(not_pooled)' $(POOLERFLAGS) $$(go list ./internal/contract/...)

# The loop of a developer, about half a minute: every golden answer, on SQLite alone. It leaves out the same tests on
# PostgreSQL, the commands, the browser, the example clients and npm's audits, large data and lost databases.
not_quick := GraphQLAudit|GraphQLTools|OpenAPITools|ByAnIndex|TrigramIndex|DatabaseLost|Books|EveryValueReplaced|GiveEachRecordOnce|ComeAndGo|Hangs|HeldUp|WithoutTheBody|ManyLosesNothing|SilentServer|IsPreparedOnce|AnswersAreExact|AnswerAsGqlgen|ClientCaches|TestRelay$$|TestChoices
quick:
	$(with_postgres) $(with_s3) sh -c 'go test -short -json -skip "$(not_quick)" $$(go list ./... | grep -v -e /cmd/ -e /examples) | \
		go run ./internal/testkit/testtimes'

# What the project weighs: lines, the files by hand that each change of internal/checks/weight/testdata touches, binary,
# and what building and generating takes: a quarter of an hour, on an idle machine. WEIGHTFLAGS=-lines for lines alone.
weight:
	go run ./internal/checks/weight $(WEIGHTFLAGS)

# What must hold before a change lands: nothing to generate, vet, staticcheck, and the tests under the race detector.
check:
	test -z "$$(gofmt -l $$(git ls-files '*.go'))"
	$(MAKE) generate
	git diff --exit-code
	go vet ./...
	go -C $(browser_tests) vet ./...
	go tool staticcheck ./...
	staticcheck=$$(go tool -n staticcheck) && cd $(browser_tests) && "$$staticcheck" ./...
	CGO_ENABLED=1 $(with_postgres) $(with_s3) go test -race -timeout 60m ./...
	CGO_ENABLED=1 $(with_postgres) $(with_browser) go -C $(browser_tests) test -race -timeout 60m ./...

# Each fuzz target for FUZZTIME.
FUZZTIME ?= 20s
fuzz:
	scripts/fuzz $(FUZZTIME)

# What the service does on both databases beside references in the same run, PostgreSQL with fsync: about a quarter
# of an hour. BENCHFLAGS='-short -compare docs/figures.json' shows in a minute or two whether something was lost, and
# BENCHFLAGS='-products 1000000 -measure sizes' measures a million products. Then booking a message with no old ones and
# with a million.
bench: build
	$(with_postgres) --durable go run ./cmd/bench $(BENCHFLAGS)
	$(with_postgres) go test -run '^$$' -bench Windows -benchtime 3000x ./internal/platform/ratelimit

# Kill the server, and PostgreSQL, again and again while clients order, and see that nothing acknowledged is lost: some
# minutes; CRASHFLAGS=-kills 100 for more.
crash: build
	$(with_postgres) --durable go run ./cmd/trial crash $(CRASHFLAGS)

# Upgrade from a tag or commit, and go back, while customers shop, and run the tests of that commit on the schema of
# now:
# make upgrade FROM=v1.2.0; without FROM from the last release. Minutes; TESTS='^TestCart' for some of its tests,
# TESTS=. for all.
upgrade:
	TESTS='$(TESTS)' scripts/upgrade '$(FROM)'

# Migrate a large database of PostgreSQL by files of every kind, cut off and taken up again, while customers shop:
# no answer above a second. A million products take a quarter of an hour: MIGRATIONFLAGS='-products 1000000'.
migrations: build
	$(with_postgres) --durable go run ./cmd/trial migrations $(MIGRATIONFLAGS)

# Ten thousand shops on one PostgreSQL, and a server that serves them: some minutes and 4 GB of disk.
# SHOPFLAGS='-shops 1000'.
shops: build
	$(with_postgres) --durable go run ./cmd/trial shops $(SHOPFLAGS)

# Have customers pay at stand-ins of payment gateways that fail in every way, while servers, whose clocks differ, gateways
# and the database are killed and, for root, the disk is full, and check all books: six minutes. MONEYFLAGS='-lives 10000' for more, '-only sqlite -seed 7 -life 12' for
# what one life draws, '-only sqlite -plant each' to find faults that are planted in the service: a quarter of an hour,
# before a release.
money: build
	$(if $(filter 0,$(shell id -u)),scripts/with-small-disk 600m) $(with_postgres) --durable \
		go run ./cmd/trial money $(MONEYFLAGS)

# Attack the service in every way known to have hurt it, and with random requests, while customers shop: 0 answers of
# 500, quick answers to customers, and memory that comes back; some minutes. HOSTILEFLAGS='-only postgres' for less.
hostile: build
	$(with_postgres) go run ./cmd/trial hostile $(HOSTILEFLAGS)

# Import a generated shop while customers write, on each kind of database: what the import takes, and how long the
# customers wait; minutes. IMPORTFLAGS='-products 100000 -only postgres' for others.
imports: build
	$(with_postgres) go run ./cmd/trial imports $(IMPORTFLAGS)

# Kill the primary of a PostgreSQL under Patroni while customers shop at two servers, and start it again: no acknowledged
# order may be lost; two minutes. Needs PostgreSQL's programs, Patroni, etcd, HAProxy and PgBouncer.
# FAILOVERFLAGS='-rounds 10' for more.
failover: build
	go run ./cmd/trial failover $(FAILOVERFLAGS)

# The same two servers under load while the network to the databases delays, swallows, cuts and drips; four minutes.
# A million requests: SOAKFLAGS='-requests 1000000 -at-most 3h'.
soak: build
	go run ./cmd/trial soak $(SOAKFLAGS)

# Fill the disk of the database under load, and make room again: 503 for what needs room, reads go on, nothing
# acknowledged is lost; half a minute. Needs root, for a small disk of its own.
fulldisk: build
	scripts/with-small-disk 300m go run ./cmd/trial fulldisk $(FULLDISKFLAGS)

# Back a PostgreSQL up under load, kill it, and restore it to the last commit and to a point in time; then kill and race
# the commands backup and restore of SQLite. A minute. Needs PostgreSQL's programs and pgBackRest, or
# BACKUPFLAGS='-only basebackup' (or sqlite).
backups: build
	go run ./cmd/trial backups $(BACKUPFLAGS)

# Ask nginx and Caddy, with the files of deploy/, what pages can read where they answer by themselves; seconds. Needs both.
proxies: build
	go run ./cmd/trial proxies

# Upload bombs and the largest images that are taken to several shops at once, and ask for narrower ones: no more
# than 150 MiB above an idle server; a minute or two. UPLOADFLAGS='-only sqlite' for less.
uploads: build
	$(with_postgres) go run ./cmd/trial uploads $(UPLOADFLAGS)

# Whether each panel of the Grafana dashboard shows something and no alert fires, by a Prometheus over a server
# under a little load; two minutes; and first what each alert says of series that are written down. Needs PostgreSQL's
# programs and Prometheus.
dashboard: build
	promtool test rules deploy/monitoring/alerts_test.yaml
	go run ./cmd/trial dashboard $(DASHBOARDFLAGS)

# The SQL of ent/schema for both databases. Until the first release the one file of each is written anew; from then on
# a change gets files of its own: make migration NAME=order_notes
migration:
	$(with_postgres) go run ./internal/database/makemigration $(NAME)
