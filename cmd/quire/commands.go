package main

// commands is what can be called. The names and flags are a contract: scripts are written against
// them.
type commands struct {
	Inspect        inspectCmd        `cmd:"" help:"Check and characterize containers (ARC and WARC files)."`
	Stats          statsCmd          `cmd:"" help:"Count what is in containers: by format, host, media type, answer, type of record or year."`
	Reconcile      reconcileCmd      `cmd:"" help:"Compare what the witnesses of a harvest tell: log, indexes, lists, reports, records."`
	Explain        explainCmd        `cmd:"" help:"Say what a finding means, by which clause, and what to do."`
	IdentifySource identifySourceCmd `cmd:"" help:"Say what crawlers left in a folder: which harvests, how each was recognised, what is known of it."`
	Convert        convertGroup      `cmd:"" help:"Make WARC of ARC files and mirrors; prove it; make the ARC again."`
	Dedup          dedupGroup        `cmd:"" help:"Make revisit records of payloads that are stored already, or full records again."`
	Describe       describeGroup     `cmd:"" help:"Put a curator's descriptions beside the records of the websites; check the spreadsheet, make finding aids; list declarations of pages."`
	Migrate        migrateCmd        `cmd:"" help:"Make bytestreams of a package that are in an old format into others of today, beside them."`
	Pack           packCmd           `cmd:"" help:"Build a package folder from what a crawler left: containers, mirrors, logs."`
	Validate       validateCmd       `cmd:"" help:"Check a package against its own METS, its checksums and the schemas; or a bag, a WACZ, an export."`
	Cat            catCmd            `cmd:"" help:"Give the bytes of one file element of a package's METS: a bytestream, a record, a file."`
	Schemas        schemasCmd        `cmd:"" help:"Bring the XML schemas that validate --schemas reads."`
	Rights         rightsCmd         `cmd:"" help:"Say who may see a package, or a URL in it, from when on and by which statement."`
	Policy         policyCmd         `cmd:"" help:"Policies: whether one is right, and what it accepts."`
	Rules          rulesCmd          `cmd:"" help:"The rules of access: whether they are right, and why a reader may see something or not."`
	Init           initCmd           `cmd:"" help:"Make a repository: by default three copies below it."`
	Ingest         ingestCmd         `cmd:"" help:"Store packages; acknowledged only when every copy is verified."`
	List           listCmd           `cmd:"" help:"List the packages of a repository."`
	Show           showCmd           `cmd:"" help:"Show all that is known of a package."`
	Audit          auditCmd          `cmd:"" help:"Read every copy again; report what is damaged or missing."`
	Export         exportCmd         `cmd:"" help:"Hand a package out: bit for bit as it is stored, or as WACZ, WARC, a mirror, a bag and other forms, under the rights that stand in it."`
	Serve          serveCmd          `cmd:"" help:"Let readers look: archived pages as they were, all their versions, search, what machines ask."`
	Index          indexCmd          `cmd:"" help:"Make the index of captures that quire serve answers from; write it for pywb or OutbackCDX."`
	Search         searchCmd         `cmd:"" help:"Find pages, documents and images by what is written in them."`
	Missed         missedCmd         `cmd:"" help:"List what a harvest wanted and did not get: each URL, why, and which line of which log tells so."`
	OAI            oaiCmd            `cmd:"" name:"oai" help:"OAI-PMH: let archives harvest a repository, harvest servers, test one."`
	Crate          crateCmd          `cmd:"" help:"Serve a website so that archives can harvest it, each resource with what tools say of it."`
	Assets         assetsCmd         `cmd:"" help:"Bring programs of others that quire serve can use and does not have: wabac.js."`
	Completion     completionCmd     `cmd:"" help:"Print the script by which a shell completes the words of quire: bash, zsh or fish."`
	Complete       completeCmd       `cmd:"" hidden:""`
	Man            manCmd            `cmd:"" help:"Write the man pages into a folder."`
	Version        versionCmd        `cmd:"" help:"Say which version of quire this is."`
	Help           helpCmd           `cmd:"" help:"Say what quire does, and how to begin."`
}

// repoFlag is the repository that a command works on.
type repoFlag struct {
	Repo string `env:"QUIRE_REPO" placeholder:"FOLDER" help:"The repository."`
}

// jsonFlag asks for machine-readable results.
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
	t.print(overview)
	return nil
}

const overview = `quire makes preservation packages of web archives, keeps them, and lets them be read.

Look at what a crawler left behind:
  quire inspect FILE|FOLDER...          check and characterize containers  [--format text|json|containermd|html]
                                        and say in which formats their content is  [--identify]
                                        and whether a virus is in it  [--clamd ADDRESS]
  quire stats FILE|FOLDER...            count what is in them  [--by format|host|mime|status|type|year]
  quire identify-source SOURCE...       which harvests lie there, what is known of each and from what  [--verbose] [--fetches]
  quire reconcile SOURCE                log, indexes, lists, reports and records compared: what is lost, what differs and why
  quire explain CODE                    what a finding means, by which clause, and what to do

Make WARC of it:
  quire convert SOURCE... --out FOLDER  ARC files and mirrors become WARC  [--report FILE]
  quire convert verify ARC WARC         prove that nothing was lost
  quire convert restore WARC --out ARC  make the ARC again, byte for byte

Say what it is:
  quire describe check --sheet FILE     check a spreadsheet of websites
  quire describe export --sheet FILE    make finding aids, catalogue records of it  [--format FORMAT] [--out FOLDER]
  quire describe SOURCE --sheet FILE    put its descriptions beside the records of the websites  [--out FOLDER|--in-place]
  quire describe list SOURCE            list the descriptions in a source
  quire describe pages SOURCE           list the declarations of each web page: title, languages, meta

Make a package of it, and check one:
  quire pack SOURCE... --out FOLDER     build a package folder  [--id ID] [--title TITLE] [--keep-original WHAT]
                                        the METS in more detail  [--profile compact|full|linked]
                                        with descriptions, rights, a service level  [--sheet FILE] [--rights FILE] [--policy FILE]
                                        viruses looked for, and cleaned  [--clamd ADDRESS] [--cleaner COMMAND]
                                        in older versions of the standards  [--schema-version legacy]
  quire pack --collection FILE --out F  name harvests that belong together, and the containers expected
  quire validate PACKAGE                check a package against its METS, checksums and schemas  [--schemas FOLDER] [--policy FILE]
  quire validate EXPORT                 is a bag, a WACZ, a mirror, a package of DSpace or E-ARK whole?
  quire validate COLLECTION             are all there?  [--packages FOLDER]... [--repo REPO]
  quire cat PACKAGE FILEID              the bytes of one file element of its METS  [--decoded]  [--list]
  quire rights PACKAGE                  who may see it, from when on, and who says so  [--url URL] [--at DATE]
  quire migrate PACKAGE --using RULE --out FOLDER
                                        old formats into those of today, beside them  [--from PUID|MIME]...
  quire policy check|explain FILE       is this service level right, and what does it accept?  stats shows what is at risk
  quire schemas fetch --to FOLDER       bring the official XML schemas, for --schemas FOLDER

Store no payload twice:
  quire dedup SOURCE --against INDEX|FOLDER|REPO --out FOLDER
                                        payloads stored earlier become revisit records  [--within]
  quire dedup undo SOURCE --out FOLDER  make the full records again  [--against INDEX|FOLDER|REPO]
  quire dedup annotations SOURCE --out FOLDER
                                        make revisit records of duplicates that only the crawl log records

Keep it in several copies:
  quire init REPO                       make a repository  [--copy PATH]...  [--rebuild]
  quire ingest PACKAGE... --repo REPO   store; acknowledged only when every copy is verified
  quire list --repo REPO                what is there
  quire show ID --repo REPO             all that is known of one package
  quire audit [ID]... --repo REPO       read every copy again; report what is damaged or missing  [--repair]

Let readers in, and hand it out:
  quire serve --repo REPO               pages as they were, versions on a timeline, search, as rights allow  [--listen ADDR]
                                        each site on a host of its own  [--replay-host *.NAME] [--config FILE]
  quire index --repo REPO               make the indexes of captures and texts beforehand  [--rebuild]
  quire search QUERY --repo REPO        find pages and bytestreams  [--level page|bytestream]
  quire missed ID --repo REPO           what a harvest did not get, and why  [--harvest N] [--reason REASON] [--host HOST]
  quire export ID --repo REPO --out F   hand a package out again: bit for bit, or as rights allow as
                                        [--as wacz|warc|mirror|bagit|dspace-saf|dspace-mets|eark|mets]
  quire rules check|explain             are rules of access right, and why does a reader get something, or not?  [--url URL]
  quire assets install                  wabac.js, for archived pages whose scripts need it

Let others harvest, and harvest:
  quire crate serve FOLDER|--upstream URL   a website whose pages can be harvested with what tools say of each  [--listen ADDR]
  quire oai serve --repo REPO           the bytestreams of a repository, by OAI-PMH, as rights allow  [--listen ADDR]
  quire oai harvest URL --out FOLDER    what such a server has, as WARC, a package or files  [--as warc|package|files]
  quire oai check URL                   tests an OAI-PMH server, and explains what is wrong  [--schemas FOLDER]

  quire version · quire help · quire help COMMAND · quire completion bash|zsh|fish · quire man --out FOLDER

--repo can be left out when QUIRE_REPO names the repository, --schemas when QUIRE_SCHEMAS names the
folder of XML schemas. QUIRE_CONFIG names a file with defaults for flags (docs/how-to/100_tasks.md). Every command that reports takes --json. Exit status: 0 all good, 1 the content
has problems, 2 the call or the machine has.

Begin with:  quire pack crawl/ --out package  &&  quire init repo  &&  quire ingest package --repo repo
`
