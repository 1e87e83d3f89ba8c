package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// helpTexts are the texts of help that are too long for a struct tag, which is one line. A tag names
// one: help:"@auditCopy". They are no variables of kong, which searches every variable for others
// again at each flag: that took most of the start of the program.
var helpTexts = map[string]string{
	"auditCompact": "Leave out of the records of audits each line on a package that was read again later, " +
		"without problem. Reads nothing.",
	"auditCopy": "Read only this copy, such as copy-2. Can be repeated.",
	"auditDue": "Do the audits that are due by the schedule of the repository, and say which are " +
		"overdue.",
	"auditFor": "Stop after this time, such as 4h, between two packages. --resume goes on.",
	"auditOlderThan": "Read each package in those copies where it was last read before this time, such as " +
		"90d.",
	"auditRate":   "Read at most so many bytes in a second, from all copies together, such as 50MB/s.",
	"auditResume": "Go on with the newest audit that ended early, or with one of them: --resume=RUN.",
	"auditSample": "Read a random share of the packages, such as 1%, at least one.",
	"auditSchedule": "Set the schedule of the repository, for --due: \"full every 365d, sample 1% every " +
		"7d\", or none. Reads nothing.",
	"auditSeed": "With --sample: the same number chooses the same packages. Default: a random one, " +
		"which is printed and recorded.",
	"salvageHelp": "Write the whole records of damaged containers to new WARC files; list the lost ones; keep the " +
		"damaged bytes aside.",
	"salvageContainer": "Damaged containers, or folders to search for containers.",
	"salvageOut":       "The new folder for the results. It must not exist, or be empty.",
	"thumbnailOf": "A package, a collection, a URL, or \"all\". Of packages: their main pages, with all their " +
		"captures. Only pages that are open to the public have thumbnails by a browser.",
	"thumbnailChromium": "Chromium or Chrome: a path, or a name to find in PATH. It runs in a jail, without network. " +
		"Linux only.",
	"thumbnailAt":     "Of a URL only the capture nearest to this time, as 20150102030405.",
	"thumbnailConfig": "The settings file of quire serve, which names the access rules.",
	"thumbnailMost": "The number of pages of each package: its seeds first, then pages nearest to the root of a " +
		"host. 0: all. Default: ${default}.",
	"salvageCDX": "An index of the containers (CDX or CDXJ), from before the damage. It names lost records. Can be " +
		"repeated.",
	"salvageLog": "The crawl log. It names lost records, some only as possible. Can be repeated.",
	"salvageDate": "The date that the new records state as their own. Default: now. The same date and source give " +
		"the same bytes.",
	"statsPath": "Containers, or folders to search for containers. Without them, a repository is counted.",
	"statsBy": "Count by all (a page of a repository, with --format html), completeness (harvests, by the comparison " +
		"of their sources), container (records, of containers or with --package), definition (packages, by harvest " +
		"definition or target), finding (its code), format (as identified), host, language (of pages and " +
		"plain texts), mime (as declared), " +
		"outcome (of the check of a container), status, type (of record) or year (of capture).",
	"statsHelp": "Count the content of containers, or of a repository, by format, host, language, media type, " +
		"HTTP status, record type, year or finding.",
	"statsCount": "With --repo: read the METS of packages that an earlier version of Quire stored, and catalogue " +
		"their numbers, before counting. No container is read.",
	"copyHelp": "Add, list, check, replace, retire and move the copies of a repository, while readers use it.",
	"copyPath": "The new or empty place of the copy: a folder, s3://BUCKET/PREFIX, or file:///FOLDER for a " +
		"mount.",
	"initAnchor": "Where to keep checkpoints of the register, as quire register anchor --add; repeat for several. " +
		"A rebuild keeps the others.",
	"initSchedule": "When audits are due, for quire audit --due: \"full every 365d, sample 1% every 7d\". " +
		"Kept by a rebuild.",
	"catalogue_help": "Move the catalogue of a repository between a file and a PostgreSQL database.",
	"catalogueTo": "The new place: postgres://USER@HOST/DATABASE, or sqlite for a file beside the settings of the " +
		"repository. No process may use the repository meanwhile.",
	"operate": "Address of the service for operators and their programs, HOST:PORT: API, health, metrics, each with " +
		"a token (docs/reference/377_service.md). Default: no service.",
	"operateConfig": "Settings of the service in YAML: name, url, folders, reports, oidc, webhooks. See " +
		"docs/operations/856_operate.md.",
	"logFormat": "With --operate: the form of its log on standard error: text or json. Default: text.",
	"verifyStatementKey": "The public keys of the archive, in PEM. quire serve publishes them at " +
		"/.well-known/quire-statement-key.pem.",
	"verifyStatementHelp": "Check the signature of a statement about a capture, without its repository.",
	"statementKeyHelp":    "List and replace the key with which quire serve signs statements of captures.",
	"statementKeyList":    "List the public keys of statements, with the time in which each signed.",
	"statementKeyRotate": "Retire the key, and make another that signs from now on. Earlier statements stay " +
		"valid: the public part of the retired key stays published. Its private part is removed; backups can have it.",
	"statementKeyDistrust":    "State that another person may have had a retired key since a moment.",
	"statementKeyCompromised": "Another person may have had the retired key since this time.",
	"statementKeySince":       "Statements from this time on are doubtful.",
	"tokenHelp": "Make, list and end the tokens with which persons and programs use the service of quire serve " +
		"--operate.",
	"notifyHelp": "Send a message to a webhook in the settings of the service. Workers do so when jobs end.",
	"notifyConfig": "Settings of the service in YAML, the same as --operate-config of quire serve. Workers need " +
		"this file, and the secret of the webhook, at the same path.",
	"tokenAdd":  "Make a token and print it. It is shown this time only.",
	"tokenName": "The person or the program, as decisions will record it. Tokens of one person have one name.",
	"tokenRole": "Roles: reader, curator, operator, approver or auditor. Can be repeated.",
	"submitHelp": "Leave a command to a worker: it waits in the queue of the repository, also over a power failure, " +
		"until it ended.",
	"submitQueue": "The queue. Default: the name of the command; for audit --repair, repair. Workers take other " +
		"queues only if they name them.",
	"submitSource": "Where the input comes from, such as a share or a site: quire work --per-source bounds the jobs " +
		"of one source at once.",
	"workHelp": "Run the jobs of a queue, each as a process. Several workers, also on several machines, " +
		"share a queue.",
	"workQueues":    "Take only jobs of these queues. Default: those of all commands that submit takes, and repair.",
	"workPerSource": "Run at most so many jobs of one source at once, on all workers together. Default: no limit.",
	"workMinFree": "Begin no job while the repository or a folder of a copy has less free space, such as 50 GiB. " +
		"Default: 1 GiB.",
	"workLease": "How long this worker may be silent before others go on with its jobs. Default: 30s.",
	"workGrace": "How long a command may take to end after it was interrupted. Then it is killed. Default: 60s.",
	"watchHelp": "Submit each delivery in a folder or bucket as a job, as soon as it is complete. An entry of the " +
		"folder is a delivery.",
	"watchSource": "Folders of deliveries, or buckets: s3://BUCKET/PREFIX.",
	"watchSpool": "Where deliveries in buckets are copied, for their jobs. They are removed when these are done. " +
		"Default: jobs/arrived in the repository.",
	"watchComplete": "When a delivery is complete: marker (the file complete in it, or NAME.complete beside it), " +
		"marker:NAME, manifest (manifest-sha256.txt, as in a bag, matches), or age:10m (nothing changed for so long).",
	"watchAs": "The command for a delivery, with {} for its path and {name} for its name: " +
		"\"pack {} --out made/{name}\". Default: ingest {}.",
	"jobsHelp": "List, show, repeat and end the jobs of a queue; hold a queue back.",
	"jobsState": "Only jobs in this state: waiting, later, running, done, problems, failed, cancelled or lost. " +
		"Can be repeated.",
	"initCatalogue": "Where the catalogue is: postgres://USER@HOST/DATABASE, for several machines; or sqlite, for a " +
		"file. Default: a file; for a rebuild, where it was.",
	"initTrust": "Name of the copy to believe where no copy has the version that the register has. Look at " +
		"its packages first: they are entered in the register.",
	"registerAdd": "Where to keep checkpoints: folder:PATH, command:\"PROGRAM ARGUMENTS\" (which gets them on its " +
		"standard input), or the address of a time stamping authority (RFC 3161).",
	"registerAnchor": "Keep checkpoints of the register outside of the repository: now, and after each audit.",
	"registerHelp": "Show the signed register of all versions and events; keep its checkpoints elsewhere; replace " +
		"its key.",
	"collectionFile": "The members, title and rights of the collection, in YAML " +
		"(docs/reference/320_collections.md).",
	"submitSelect": "Make a job for each package for which this expression is true, with its id for {} in the " +
		"command: quire submit --select '\"fmt/4\" in pkg.puids' audit {}.",
	"listSelect": "List the packages for which this expression in CEL is true, such as '\"fmt/44\" in pkg.puids && " +
		"pkg.first.year < 2000' (docs/reference/376_numbers.md). No package is read.",
	"listAfter": "List the packages after this one, in the order of their ids: the last of the page " +
		"before.",
	"amend_help": "Change title, rights or notes of a stored package: a new version, whose containers stay " +
		"untouched.",
	"sheet_mapping":   "Mapping of the sheet's columns, by their names in any language (YAML).",
	"sheet_separator": "Separator between values in a cell. Default: from the mapping, else ' # '.",
	"amend_rights": "The new rights statements (YAML). They replace those of the file in the package; statements " +
		"of curators' systems stay.",
	"amend_schemas": "Folder of XML schemas for the validation (with drivers/mets-all.xsd).",
	"diff_help":     "Compare two versions of a package: its files, and the description in its METS.",
	"document_help": "Keep rules, policies and agreements in every copy of a repository, version by version.",
	"document_name": "Name of the document, in lower case: rules; policy-NAME; others for agreements and the " +
		"like.",
	"export_help": "Export a package: unchanged, or as WACZ, WARC, mirror, bag and other forms, within its rights; " +
		"or tables of the repository.",
	"migrate_id": "Identifier of a package of the repository (--repo), instead of a folder. Its newest version is " +
		"copied beside the result meanwhile.",
	"export_id": "Identifier of the package. With --as parquet: the package to add; default: all.",
	"export_tables": "parquet: the tables, of captures, records, links, host_links, texts, containers and events. " +
		"Default: all without texts, or those of the earlier run.",
	"export_version": "The version to export. Default: the newest. In forms other than aip, the rights of today " +
		"decide, and files that the newest version no longer has are withheld.",
	"report_attest": "Statements of people, in YAML; --template prints the form. Without it, they are reported as " +
		"not " +
		"attested.",
	"report_help": "Report to an auditor: holdings, copies, audits, damage, access, and the requirements of NDSA, " +
		"CoreTrustSeal and ISO 16363.",
	"report_reasons": "Print the reasons and authorities of purges, too. They may be confidential.",
	"report_since":   "Begin of the period: audits, incidents, withdrawals, purges from this day on. Default: all.",
	"hold_set":       "Forbid the purge of a package. The word set can be left out.",
	"purge_although": "A package whose revisits may lose their payloads; repeat for several. Without it, such a " +
		"purge is refused.",
	"purge_approve": "Approve a request as a second person, and purge the package: from every copy, the " +
		"catalogue and the indexes.",
	"purge_because": "The reason, kept for ever. It must name no URL: name a file number.",
	"purge_finish":  "Go on with purges where they are pending: in copies that are back, and in the indexes.",
	"purge_help": "Destroy a package, by the decision of two persons. A tombstone stays; list, cancel and finish " +
		"requests.",
	"purge_list": "List requests and tombstones, and the places that still have a purged package.",
	"purge_request": "Request the purge of a package. Nothing is removed before a second person approves it. The " +
		"word request can be left out.",
	"rules_help": "Check the access rules, explain why a reader may or may not see something, and keep the " +
		"rules in a repository.",
	"siteRulesHelp": "Check rules for single sites, by which a captured request answers one that " +
		"was not captured.",
	"siteRulesFile": "Rules for single sites in YAML, in addition to those of Quire " +
		"(docs/reference/547_site-rules.md). Overrides the settings.",
	"rules_set":          "Store the rules in every copy of a repository, with the reason of the change.",
	"verify_report_help": "Check the signature of a report, without its repository.",
	"verify_report_key": "Accept only this verifier key (NAME+HASH+BASE64), or those in this file, such as " +
		"register/keys.",
	"withdraw_access": "blocked, for all readers (default); restricted: curators may still see it.",
	"withdraw_certificate": "Write the certificate for the claimant to this new file: JSON if its name ends " +
		"in .json, else HTML.",
	"withdraw_finish": "Delete the content of a withdrawal from Solr, if Solr did not answer before. Workers run it " +
		"as a job.",
	"withdraw_help": "Close a URL or a package for all readers, with an event and a certificate; end that, list " +
		"it.",
	"withdraw_message": "Show readers this message instead of the content. Default: the content is hidden.",
	"withdraw_of":      "A URL pattern as in access rules, or the identifier of a package.",
	"withdraw_run":     "Close a URL or a package for all readers, by a decision. The word run can be left out.",
	"withdraw_until":   "The last day of the withdrawal (2027-01-31). Default: without end.",
}

// withTexts replaces the names of texts in the grammar by the texts, and ${default} in them by the default of the flag.
// Kong has done so before, in the texts that are in the grammar itself.
func withTexts(root *kong.Node) error {
	text := func(help *string, standard string) error {
		name, named := strings.CutPrefix(*help, "@")
		if !named {
			return nil
		}
		found, ok := helpTexts[name]
		if !ok {
			return fmt.Errorf("no help text %q", name)
		}
		*help = strings.ReplaceAll(found, "${default}", standard)
		return nil
	}
	return kong.Visit(root, func(node kong.Visitable, next kong.Next) error {
		var err error
		switch node := node.(type) {
		case *kong.Node:
			err = text(&node.Help, "")
		case *kong.Value:
			err = text(&node.Help, node.Default)
		}
		return next(err)
	})
}
