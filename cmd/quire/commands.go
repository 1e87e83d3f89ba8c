package main

// commands is the grammar of the command line. Scripts rely on its names and flags, so they are a
// contract.
type commands struct {
	colorFlag
	Inspect        inspectCmd        `cmd:"" help:"Check and characterize containers (ARC and WARC files)."`
	Stats          statsCmd          `cmd:"" help:"@statsHelp"`
	Reconcile      reconcileCmd      `cmd:"" help:"Compare the sources of a harvest: log, indexes, lists, reports, records."`
	Explain        explainCmd        `cmd:"" help:"Explain a finding: its meaning, the clause behind it, and the next step."`
	IdentifySource identifySourceCmd `cmd:"" help:"List the harvests in a folder, the evidence for each, and the facts known about it."`
	Convert        convertGroup      `cmd:"" help:"Convert ARC files and mirrors to WARC; verify the result; restore the ARC."`
	Salvage        salvageCmd        `cmd:"" help:"@salvageHelp"`
	Dedup          dedupGroup        `cmd:"" help:"Replace payloads that are already stored by revisit records, or restore the full records."`
	Describe       describeGroup     `cmd:"" help:"Add a curator's descriptions to websites; check the spreadsheet, export finding aids, list the metadata of pages."`
	Migrate        migrateCmd        `cmd:"" help:"Convert bytestreams of a package from an old format to a current one; the originals stay."`
	Pack           packCmd           `cmd:"" help:"Build a package from the output of a crawler: containers, mirrors, logs."`
	Collection     collectionCmd     `cmd:"" help:"Make a collection: name harvests that lie in packages of their own, and the containers expected of each."`
	Validate       validateCmd       `cmd:"" help:"Check a package against its own METS, its checksums and the schemas; or a bag, a WACZ, an export."`
	Cat            catCmd            `cmd:"" help:"Write the bytes of one METS file element: a bytestream, a record, a file."`
	Schemas        schemasCmd        `cmd:"" help:"Download the XML schemas that validate --schemas reads."`
	Rights         rightsCmd         `cmd:"" help:"Show which readers may see a package or one of its URLs, from which date, and the statement that decides this."`
	Policy         policyCmd         `cmd:"" help:"Check policies, and list the content that a policy accepts."`
	Rules          rulesCmd          `cmd:"" help:"@rules_help"`
	SiteRules      siteRulesCmd      `cmd:"" name:"site-rules" help:"@siteRulesHelp"`
	Withdraw       withdrawGroup     `cmd:"" help:"@withdraw_help"`
	Purge          purgeGroup        `cmd:"" help:"@purge_help"`
	Hold           holdGroup         `cmd:"" help:"Forbid the purge of a package, until a day; end that, list it."`
	Document       documentGroup     `cmd:"" help:"@document_help"`
	Init           initGroup         `cmd:"" help:"Make a repository; make its catalogue again."`
	Ingest         ingestCmd         `cmd:"" help:"Store packages. Ingest succeeds only when every copy is verified."`
	List           listCmd           `cmd:"" help:"List the packages of a repository."`
	Show           showCmd           `cmd:"" help:"Show all recorded facts about a package."`
	Amend          amendCmd          `cmd:"" help:"@amend_help"`
	Diff           diffCmd           `cmd:"" help:"@diff_help"`
	Catalogue      catalogueGroup    `cmd:"" help:"@catalogue_help"`
	Copy           copyGroup         `cmd:"" help:"@copyHelp"`
	Audit          auditCmd          `cmd:"" help:"Read every copy again; report damaged and missing files."`
	Submit         submitCmd         `cmd:"" help:"@submitHelp"`
	Work           workCmd           `cmd:"" help:"@workHelp"`
	Watch          watchCmd          `cmd:"" help:"@watchHelp"`
	Jobs           jobsGroup         `cmd:"" help:"@jobsHelp"`
	Report         reportCmd         `cmd:"" help:"@report_help"`
	VerifyReport   verifyReportCmd   `cmd:"" name:"verify-report" help:"@verify_report_help"`
	CheckStatement checkStatementCmd `cmd:"" name:"verify-statement" help:"@verifyStatementHelp"`
	Register       registerGroup     `cmd:"" help:"@registerHelp"`
	Export         exportCmd         `cmd:"" help:"@export_help"`
	Exports        exportsCmd        `cmd:"" help:"List the registered exports of tables, which takedowns name."`
	Serve          serveCmd          `cmd:"" help:"Serve a repository to readers and machines: replay, versions of a page, search, APIs."`
	StatementKey   statementKeyGroup `cmd:"" name:"statement-key" help:"@statementKeyHelp"`
	Token          tokenGroup        `cmd:"" help:"@tokenHelp"`
	Notify         notifyCmd         `cmd:"" help:"@notifyHelp"`
	Index          indexGroup        `cmd:"" help:"Build the capture index of quire serve; export it for pywb or OutbackCDX."`
	Thumbnail      thumbnailCmd      `cmd:"" help:"Make the thumbnails of pages with Chromium, for quire serve."`
	Search         searchCmd         `cmd:"" help:"Search the text of pages, documents and images."`
	Missed         missedCmd         `cmd:"" help:"List the URLs that a harvest did not capture, with the reason and the log line."`
	OAI            oaiCmd            `cmd:"" name:"oai" help:"OAI-PMH: serve a repository to harvesters, harvest a server, test a server."`
	Crate          crateCmd          `cmd:"" help:"Serve a website so that archives can harvest it, each resource with the output of tools."`
	Assets         assetsCmd         `cmd:"" help:"Install third-party programs for quire serve: wabac.js."`
	Health         healthCmd         `cmd:"" help:"Ask a running quire serve whether it is alive."`
	Demo           demoCmd           `cmd:"" help:"Take a tour: an example crawl becomes a stored, checked package."`
	Completion     completionCmd     `cmd:"" help:"Print the script for command completion in bash, zsh or fish."`
	Complete       completeCmd       `cmd:"" hidden:""`
	Man            manCmd            `cmd:"" help:"Write the man pages into a folder."`
	Version        versionCmd        `cmd:"" help:"Print the version of quire."`
	Help           helpCmd           `cmd:"" help:"Print an overview and first steps."`
}

// repoFlag is the repository that a command works on.
type repoFlag struct {
	Repo string `env:"QUIRE_REPO" placeholder:"FOLDER" help:"The repository."`
}

// jsonFlag selects machine-readable results.
type jsonFlag struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

type versionCmd struct{ jsonFlag }

// Run prints the version.
func (c *versionCmd) Run(t *terminal) error {
	if c.JSON {
		return t.json(struct {
			Version string `json:"version"`
		}{version})
	}
	t.printf("quire %s\n", version)
	return nil
}

type helpCmd struct{}

// Run prints the overview.
func (c *helpCmd) Run(t *terminal) error {
	t.print(t.headings(overview))
	return nil
}

const overview = `quire makes preservation packages of web archives, stores them in verified copies, and serves them.

Examine the output of a crawler:
  quire inspect FILE|FOLDER...          check and characterize containers  [--format text|json|containermd|html]
                                        and identify the formats of their content  [--identify]
                                        and scan it for viruses  [--clamd ADDRESS]
  quire stats FILE|FOLDER...            count their content  [--by format|host|mime|status|type|year|outcome|finding]
  quire identify-source SOURCE...       find harvests, with the source of each fact  [--verbose] [--fetches]
  quire reconcile SOURCE                compare log, indexes, lists, reports and records
  quire explain CODE                    explain a finding: its meaning, its clause, the remedy

Convert it to WARC:
  quire convert SOURCE... --out FOLDER  convert ARC files and mirrors to WARC  [--report FILE]
  quire convert verify ARC WARC         prove that nothing was lost
  quire convert restore WARC --out ARC  make the ARC again, byte for byte
  quire salvage CONTAINER... --out FOLDER
                                        rescue the whole records of damaged containers, and list the lost ones
                                        by URL  [--cdx FILE] [--log FILE]

Describe it:
  quire describe check --sheet FILE     check a spreadsheet of websites
  quire describe export --sheet FILE    make finding aids and catalogue records  --format FORMAT --out FOLDER
  quire describe SOURCE --sheet FILE    write its descriptions into WARC files  [--out FOLDER|--in-place]
  quire describe list SOURCE            list the descriptions in a source
  quire describe pages SOURCE           list the declarations of each web page: title, languages, meta

Make packages, and check them:
  quire pack SOURCE... --out FOLDER     build a package folder  [--id ID] [--title TITLE] [--keep-original WHAT]
                                        choose the detail of the METS  [--profile compact|full|linked]
                                        add descriptions, rights, policy  [--sheet FILE] [--rights FILE] [--policy FILE]
                                        scan for viruses, and clean  [--clamd ADDRESS] [--cleaner COMMAND]
                                        write older versions of the standards  [--schema-version legacy]
  quire collection FILE --out FOLDER    list the harvests of a collection, and the expected containers
  quire validate PACKAGE                check a package by METS, digests and schemas  [--schemas FOLDER] [--policy FILE]
  quire validate EXPORT                 check a bag, a WACZ, a mirror, a package of DSpace or E-ARK
  quire validate COLLECTION             check that all containers are there  [--packages FOLDER]... [--repo REPO]
  quire cat PACKAGE FILEID              print the bytes of one file element of its METS  [--decoded]  [--list]
  quire rights PACKAGE                  list its readers, with dates and statements  [--url URL] [--at DATE]
  quire migrate PACKAGE --using RULE --out FOLDER
                                        convert obsolete formats, and keep the originals  [--from PUID|MIME]...
  quire policy check|explain FILE       check a service level, and explain it
  quire schemas fetch --to FOLDER       download the official XML schemas, for --schemas FOLDER

Deduplicate:
  quire dedup SOURCE --against INDEX|FOLDER|REPO --out FOLDER
                                        replace payloads stored earlier by revisit records  [--within]
  quire dedup undo SOURCE --out FOLDER  restore the full records  [--against INDEX|FOLDER|REPO]
  quire dedup annotations SOURCE --out FOLDER
                                        make revisit records of duplicates that only the crawl log records

Store packages in several copies:
  quire init REPO                       make a repository  [--copy PATH]... [--catalogue postgres://…]
  quire init rebuild REPO               make a new catalogue from the copies
  quire catalogue copy --to ADDRESS     move its catalogue into PostgreSQL, for several machines, or back
  quire ingest PACKAGE... --repo REPO   store packages; acknowledged when every copy is verified
  quire list --repo REPO                list the packages  [--select EXPRESSION]
  quire stats --repo REPO               count its formats, hosts, years  [--by CRITERION] [--policy FILE]
  quire show ID --repo REPO             show all facts about one package  [--versions]
  quire amend ID --repo REPO            change its title, rights or notes  --because TEXT
                                        [--title TEXT] [--rights FILE] [--note TEXT]
  quire diff ID v1 v2 --repo REPO       compare two versions: files, title, rights, harvests, events
  quire copy add PATH --repo REPO       add a copy while the repository is in use, and fill it
  quire copy list|check --repo REPO     list the copies with their states, and check them
  quire copy replace|retire|move NAME   fill a new copy in place of one; take one out of use; record a move
  quire audit [ID]... --repo REPO       read and check every copy; restore damaged ones  [--repair]
                                        a part of them, or by a schedule  [--sample 1%] [--older-than 90d] [--due]
  quire report --repo REPO --out FILE   report to an auditor: copies, audits, damage, access, NDSA, CoreTrustSeal, ISO
                                        [--since DATE] [--format html|pdf|json] [--attest FILE] [--template]
  quire verify-report FILE              check the signature of a report, without its repository  [--key KEY]
  quire register show --repo REPO       show the signed register of all versions and events, its keys and anchors
  quire register anchor --add ANCHOR    keep its checkpoints elsewhere: in a folder, by a program, at an authority
  quire register rotate --repo REPO     replace the key that signs it

Leave work to a queue, on this machine or many:
  quire submit COMMAND... --repo REPO   run the command later, on a worker: ingest, pack, audit and others
  quire work --repo REPO                run jobs  [--queues NAME,...] [--concurrency N] [--drain]
  quire watch FOLDER... --repo REPO     submit each delivery that is complete  [--complete marker|manifest|age:10m]
  quire jobs list|show --repo REPO      list the jobs and workers, and show one with its output
  quire jobs retry|cancel|pause|resume  repeat a job, end one, hold back a queue
  quire statement-key list|rotate       the key that signs statements of captures
  quire token add|list|revoke           tokens for the service of quire serve --operate
  quire notify HOOK --repo REPO          try a webhook of the service, or send the end of a job again  [--job N]

Serve readers, and export:
  quire serve --repo REPO               serve archived pages, timelines and search, as rights allow  [--listen ADDR]
                                        each site on its own host  [--replay-host *.NAME] [--config FILE]
  quire index --repo REPO               update the indexes of captures, texts and images  [--rebuild]
  quire thumbnail ID|URL|all            show pages in Chromium, in a jail, for thumbnails  --chromium PROGRAM
  quire index export FORM --out FILE    write the index of captures for pywb or OutbackCDX
  quire verify-statement FILE           check a signed statement that a reader downloaded  --key FILE
  quire search QUERY --repo REPO        find pages and bytestreams  [--level page|bytestream]
  quire missed ID --repo REPO           list URLs that a harvest did not capture  [--harvest N] [--reason R] [--host H]
  quire export ID --repo REPO --out F   export a package: bit for bit, or, as rights allow, in a form
                                        [--as wacz|warc|mirror|bagit|dspace-saf|dspace-mets|eark|mets]
  quire export --as parquet --out F     export tables for research, or bring them up to date  [--tables NAME,...]
  quire exports --repo REPO             list the registered exports of tables
  quire rules check|explain             check access rules, and explain a decision  [--url URL]
  quire rules set FILE --repo REPO      keep the rules in every copy, with the reason  --because TEXT  [--by WHO]
  quire site-rules check|show|explain   check rules for single sites; explain which apply  [--url URL]
  quire withdraw URL|ID --repo REPO     close it for all readers at once, with events and a certificate
                                        --because TEXT --authority TEXT  [--until DATE] [--certificate FILE]
  quire withdraw list|lift|certificate  list withdrawals, end one, write its certificate again
  quire purge ID --repo REPO            request the destruction of a package  --because TEXT --authority TEXT
  quire purge approve TOKEN --by WHO    approve it as a second person: it is gone from every copy
  quire purge list|cancel|finish        list requests and tombstones, end a request, go on where copies were away
  quire hold ID --because TEXT          forbid the purge of a package  [--until DATE]
  quire document set|show|history|list  keep policies and agreements in every copy
  quire assets install                  fetch wabac.js, for pages whose scripts need it

Harvest by OAI-PMH, and be harvested:
  quire crate serve FOLDER|--upstream URL   serve a website for harvesters, with the output of tools  [--listen ADDR]
  quire oai serve --repo REPO           serve the bytestreams of a repository, as rights allow  [--listen ADDR]
  quire oai harvest URL --out FOLDER    harvest a server into WARC, a package or files  [--as warc|package|files]
  quire oai check URL                   test an OAI-PMH server, and explain errors  [--schemas FOLDER]

  quire demo                            take a tour with an example crawl  [--out FOLDER] [--serve]
  quire health [URL]                    check that a server answers, for containers and monitoring
  quire version · quire help · quire help COMMAND · quire completion bash|zsh|fish · quire man --out FOLDER

--repo can be left out when QUIRE_REPO names the repository, --schemas when QUIRE_SCHEMAS names the
folder of XML schemas. QUIRE_CONFIG names a file with defaults for flags (docs/how-to/100_tasks.md).
Every command that prints results takes --json. pack, collection, convert, dedup, describe, migrate, ingest,
export and audit --repair take --dry-run: they print their plan, and write nothing.
Exit status: 0 is good, 1 means problems in the content, 2 in the call or the machine.

Start with:  quire pack crawl/ --out package  &&  quire init repo  &&  quire ingest package --repo repo
`
