package main

// commands is the grammar of the command line. Scripts rely on its names and flags, so they are a
// contract.
type commands struct {
	colorFlag
	Inspect        inspectCmd        `cmd:"" help:"Check and characterize containers (ARC and WARC files)."`
	Stats          statsCmd          `cmd:"" help:"Count containers' content by format, host, media type, HTTP status, record type or year."`
	Reconcile      reconcileCmd      `cmd:"" help:"Compare the sources of a harvest: log, indexes, lists, reports, records."`
	Explain        explainCmd        `cmd:"" help:"Explain a finding: its meaning, the clause behind it, and the next step."`
	IdentifySource identifySourceCmd `cmd:"" help:"List the harvests in a folder, the evidence for each, and the facts known about it."`
	Convert        convertGroup      `cmd:"" help:"Convert ARC files and mirrors to WARC; verify the result; restore the ARC."`
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
	Rules          rulesCmd          `cmd:"" help:"Check the access rules, and explain why a reader may or may not see something."`
	Init           initGroup         `cmd:"" help:"Make a repository; make its catalogue again."`
	Ingest         ingestCmd         `cmd:"" help:"Store packages. Ingest succeeds only when every copy is verified."`
	List           listCmd           `cmd:"" help:"List the packages of a repository."`
	Show           showCmd           `cmd:"" help:"Show all recorded facts about a package."`
	Audit          auditCmd          `cmd:"" help:"Read every copy again; report damaged and missing files."`
	Export         exportCmd         `cmd:"" help:"Export a package: unchanged, or as WACZ, WARC, mirror, bag and other forms, within its rights."`
	Serve          serveCmd          `cmd:"" help:"Serve a repository to readers and machines: replay, versions of a page, search, APIs."`
	Index          indexGroup        `cmd:"" help:"Build the capture index of quire serve; export it for pywb or OutbackCDX."`
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

const overview = `quire makes preservation packages of web archives, keeps them, and lets them be read.

Look at what a crawler left behind:
  quire inspect FILE|FOLDER...          check and characterize containers  [--format text|json|containermd|html]
                                        and say in which formats their content is  [--identify]
                                        and whether a virus is in it  [--clamd ADDRESS]
  quire stats FILE|FOLDER...            count what is in them  [--by format|host|mime|status|type|year]
  quire identify-source SOURCE...       which harvests lie there, what is known of each and from what  ` +
	`[--verbose] [--fetches]
  quire reconcile SOURCE                log, indexes, lists, reports and records compared: what is lost, what ` +
	`differs and why
  quire explain CODE                    what a finding means, by which clause, and what to do

Make WARC of it:
  quire convert SOURCE... --out FOLDER  ARC files and mirrors become WARC  [--report FILE]
  quire convert verify ARC WARC         prove that nothing was lost
  quire convert restore WARC --out ARC  make the ARC again, byte for byte

Say what it is:
  quire describe check --sheet FILE     check a spreadsheet of websites
  quire describe export --sheet FILE    make finding aids, catalogue records of it  --format FORMAT --out FOLDER
  quire describe SOURCE --sheet FILE    put its descriptions beside the records of the websites  [--out ` +
	`FOLDER|--in-place]
  quire describe list SOURCE            list the descriptions in a source
  quire describe pages SOURCE           list the declarations of each web page: title, languages, meta

Make a package of it, and check one:
  quire pack SOURCE... --out FOLDER     build a package folder  [--id ID] [--title TITLE] [--keep-original WHAT]
                                        the METS in more detail  [--profile compact|full|linked]
                                        with descriptions, rights, a service level  [--sheet FILE] [--rights ` +
	`FILE] [--policy FILE]
                                        viruses looked for, and cleaned  [--clamd ADDRESS] [--cleaner COMMAND]
                                        in older versions of the standards  [--schema-version legacy]
  quire collection FILE --out FOLDER    name harvests that belong together, and the containers expected
  quire validate PACKAGE                check a package against its METS, checksums and schemas  [--schemas ` +
	`FOLDER] [--policy FILE]
  quire validate EXPORT                 is a bag, a WACZ, a mirror, a package of DSpace or E-ARK whole?
  quire validate COLLECTION             are all there?  [--packages FOLDER]... [--repo REPO]
  quire cat PACKAGE FILEID              the bytes of one file element of its METS  [--decoded]  [--list]
  quire rights PACKAGE                  who may see it, from when on, and who says so  [--url URL] [--at DATE]
  quire migrate PACKAGE --using RULE --out FOLDER
                                        old formats into those of today, beside them  [--from PUID|MIME]...
  quire policy check|explain FILE       is this service level right, and what does it accept?  stats shows ` +
	`what is at risk
  quire schemas fetch --to FOLDER       bring the official XML schemas, for --schemas FOLDER

Store no payload twice:
  quire dedup SOURCE --against INDEX|FOLDER|REPO --out FOLDER
                                        payloads stored earlier become revisit records  [--within]
  quire dedup undo SOURCE --out FOLDER  make the full records again  [--against INDEX|FOLDER|REPO]
  quire dedup annotations SOURCE --out FOLDER
                                        make revisit records of duplicates that only the crawl log records

Keep it in several copies:
  quire init REPO                       make a repository  [--copy PATH]...
  quire init rebuild REPO               make its catalogue again, from the copies alone
  quire ingest PACKAGE... --repo REPO   store; acknowledged only when every copy is verified
  quire list --repo REPO                what is there
  quire show ID --repo REPO             all that is known of one package
  quire audit [ID]... --repo REPO       read every copy again; report what is damaged or missing  [--repair]

Let readers in, and hand it out:
  quire serve --repo REPO               pages as they were, versions on a timeline, search, as rights allow  ` +
	`[--listen ADDR]
                                        each site on a host of its own  [--replay-host *.NAME] [--config FILE]
  quire index --repo REPO               make the indexes of captures and texts beforehand  [--rebuild]
  quire index export FORM --out FILE    write the index of captures for pywb or OutbackCDX
  quire search QUERY --repo REPO        find pages and bytestreams  [--level page|bytestream]
  quire missed ID --repo REPO           what a harvest did not get, and why  [--harvest N] [--reason REASON] ` +
	`[--host HOST]
  quire export ID --repo REPO --out F   hand a package out again: bit for bit, or as rights allow as
                                        [--as wacz|warc|mirror|bagit|dspace-saf|dspace-mets|eark|mets]
  quire rules check|explain             are rules of access right, and why does a reader get something, or ` +
	`not?  [--url URL]
  quire assets install                  wabac.js, for archived pages whose scripts need it

Let others harvest, and harvest:
  quire crate serve FOLDER|--upstream URL   a website whose pages can be harvested with what tools say of ` +
	`each  [--listen ADDR]
  quire oai serve --repo REPO           the bytestreams of a repository, by OAI-PMH, as rights allow  [--listen ADDR]
  quire oai harvest URL --out FOLDER    what such a server has, as WARC, a package or files  [--as warc|package|files]
  quire oai check URL                   tests an OAI-PMH server, and explains what is wrong  [--schemas FOLDER]

  quire demo                            a tour with an example crawl, in a temporary folder  [--out FOLDER] [--serve]
  quire health [URL]                    is the server alive?  For containers and monitoring
  quire version · quire help · quire help COMMAND · quire completion bash|zsh|fish · quire man --out FOLDER

--repo can be left out when QUIRE_REPO names the repository, --schemas when QUIRE_SCHEMAS names the
folder of XML schemas. QUIRE_CONFIG names a file with defaults for flags (docs/how-to/100_tasks.md).
Every command that reports takes --json. pack, collection, convert, dedup, describe, migrate, ingest,
export and audit --repair take --dry-run: they say what they would do, and write nothing.
Exit status: 0 all good, 1 the content has problems, 2 the call or the machine has.

Begin with:  quire pack crawl/ --out package  &&  quire init repo  &&  quire ingest package --repo repo
`
