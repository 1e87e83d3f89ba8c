package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// example is a call of quire and its purpose.
type example struct{ does, call string }

// examples are shown by --help and in the man pages, by command.
var examples = map[string][]example{
	"inspect": {
		{"Check the containers of a folder:", "quire inspect crawl/"},
		{"Write an HTML page with charts:", "quire inspect --identify --format html crawl/ > report.html"},
		{"Give a script one JSON object for each container:", "quire inspect --format json crawl/*.warc.gz"},
	},
	"stats": {
		{"Count formats, the most frequent first:", "quire stats --by format crawl/"},
		{"Count the formats of a repository, in milliseconds:", "quire stats --by format --repo archive"},
		{"Count hosts for a spreadsheet:", "quire stats --by host --format csv crawl/ > hosts.csv"},
	},
	"reconcile": {{"Compare log, reports and records of a Heritrix job:",
		"quire reconcile heritrix/jobs/example/20260304"}},
	"explain": {{"Look up a finding:", "quire explain DIGEST-PAYLOAD-FRAMED"}},
	"identify-source": {{"List the harvests of a delivery, and the evidence for each fact:",
		"quire identify-source --verbose delivery/"}},
	"convert": {
		{"Convert ARC files and mirrors to WARC:", "quire convert delivery/ --out normalized --report account.jsonl"},
		{"Prove that the WARC holds all content of the ARC:", "quire convert verify old.arc.gz normalized/old.warc.gz"},
		{"Restore the ARC, byte for byte:", "quire convert restore normalized/old.warc.gz --out old.arc"},
	},
	"salvage": {
		{"Rescue the whole records of a damaged container, and list the lost ones:",
			"quire salvage old.warc.gz --cdx old.cdx --log crawl.log --out rescued"},
	},
	"dedup": {
		{"Replace payloads that the repository has by revisit " +
			"records:", "quire dedup crawl/ --against archive --out smaller"},
		{"Restore full records:", "quire dedup undo smaller/ --against archive --out full"},
		{"Make revisit records of the duplicates in a crawl log:",
			"quire dedup annotations crawl/ --against archive --out complete"},
	},
	"describe": {
		{"Check a curator's spreadsheet:", "quire describe check --sheet websites.xlsx"},
		{"Make finding aids from it:", "quire describe export --sheet websites.xlsx --format ead3 --out aids"},
		{"Write its descriptions into a WARC, beside the records of the websites:",
			"quire describe crawl/ --sheet websites.xlsx --out described"},
		{"List the descriptions in it:", "quire describe list described/"},
		{"List title and languages of each page:", "quire describe pages crawl/"},
	},
	"migrate": {{"Convert GIF to PNG; the originals stay:",
		"quire migrate package --using examples/migrate/gif-to-png.yaml --out migrated"}},
	"pack": {
		{"Make a package of a crawl that is open to the public:",
			"quire pack crawl/ --out package --rights examples/rights.yaml"},
		{"List what would be packed, and write nothing:", "quire pack crawl/ --out package --dry-run"},
		{"Describe each hyperlink too, and check for viruses:",
			"quire pack crawl/ --out package --profile linked --clamd unix:/run/clamav/clamd.ctl"},
	},
	"collection": {{"Name the harvests of a collection:", "quire collection harbours.yaml --out harbours"}},
	"validate": {
		{"Check a package:", "quire validate package"},
		{"Also check its XML against the schemas:", "quire validate package --schemas schemas/"},
	},
	"cat": {
		{"List the file elements of a package:", "quire cat package --list"},
		{"Write one of them to a file:", "quire cat package FILEID > payload"},
	},
	"schemas fetch": {{"Download the XML schemas for validate:", "quire schemas fetch --to schemas/"}},
	"rights": {{"Show which readers may see a page on a given day:",
		"quire rights package --url http://example.org/ --at 2030-01-01"}},
	"policy check":   {{"Check a service level:", "quire policy check examples/policy/*.yaml"}},
	"policy explain": {{"List the content that a service level accepts:", "quire policy explain policy.yaml"}},
	"rules check":    {{"Check the access rules:", "quire rules check rules.yaml"}},
	"rules explain": {{"Explain why a reader may or may not see a page:",
		"quire rules explain --url http://example.org/ --repo archive"}},
	"site-rules check": {{"Check a file of site rules:", "quire site-rules check site-rules.yaml"}},
	"site-rules show":  {{"Print the site rules of Quire, as a beginning:", "quire site-rules show"}},
	"site-rules explain": {{"May a captured page answer this one?",
		"quire site-rules explain --url 'http://example.org/x?_=2' --captured http://example.org/x"}},
	"rules set": {{"Keep the rules in every copy:",
		"quire rules set rules.yaml --because minutes-of-May --repo archive"}},
	"rules show":    {{"Print the rules of an earlier version:", "quire rules show --version 1 --repo archive"}},
	"rules history": {{"List the changes of the rules:", "quire rules history --repo archive"}},
	"withdraw": {
		{"Close a page at once, with a certificate:",
			"quire withdraw http://example.org/page --because letter-17 --authority board --certificate page.html " +
				"--repo archive"},
		{"Open it again:", "quire withdraw lift W1 --because letter-18 --authority board --repo archive"},
		{"Delete its content from Solr later:", "quire withdraw finish W1 --repo archive"},
		{"List all withdrawals:", "quire withdraw list --repo archive"},
		{"Write a certificate again, as JSON:", "quire withdraw certificate W1 --out page.json --repo archive"},
	},
	"purge": {
		{"Request the purge of a package:",
			"quire purge harbour-museum --because file-17 --authority board --by Ada --repo archive"},
		{"Approve it as the second person, with the token of the request:",
			"quire purge approve TOKEN --by Bob --repo archive"},
		{"End a request:", "quire purge cancel P1 --repo archive"},
		{"List requests and tombstones:", "quire purge list --repo archive"},
		{"Go on after a copy came back:", "quire purge finish --repo archive"},
	},
	"hold": {
		{"Forbid the purge of a package for a year:",
			"quire hold harbour-museum --until 2027-12-31 --because lawsuit-5 --repo archive"},
		{"End that:", "quire hold lift H1 --because lawsuit-5-is-over --repo archive"},
		{"List the holds:", "quire hold list --repo archive"},
	},
	"document list": {{"List the documents:", "quire document list --repo archive"}},
	"document set": {{"Keep an agreement with a donor:",
		"quire document set agreement-museum agreement.pdf --because signed --repo archive"}},
	"document show": {{"Write a document to a file:",
		"quire document show agreement-museum --repo archive > agreement.pdf"}},
	"document history": {{"List its versions:", "quire document history agreement-museum --repo archive"}},
	"init": {
		{"Make a repository with three copies below one folder:", "quire init archive"},
		{"Put each copy on a separate disk:",
			"quire init archive --copy /disk1/archive --copy /disk2/archive --copy /mnt/nas/archive"},
		{"Make the catalogue again, from the copies alone:", "quire init rebuild archive"},
	},
	"ingest": {
		{"Store packages:", "quire ingest packages/* --repo archive"},
		{"Say which would be stored, and write nothing:", "quire ingest packages/* --repo archive --dry-run"},
	},
	"list": {
		{"List the packages as JSON:", "quire list --repo archive --json"},
		{"List the packages that a copy lacks:", "quire list --repo archive --owed"},
	},
	"show": {
		{"Show all recorded facts about a package:", "quire show harbour-museum --repo archive"},
		{"List its versions:", "quire show harbour-museum --versions --repo archive"},
	},
	"catalogue copy": {{"Move the catalogue into a database, for several machines:",
		"quire catalogue copy --to postgres://quire@db.example.org/archive --repo archive"}},
	"notify": {{"Try the webhook helpdesk:", "quire notify helpdesk --operate-config operate.yaml --repo archive"}},

	"statement-key list": {{"See which keys signed, and when:", "quire statement-key list --repo archive"}},
	"statement-key rotate": {
		{"Replace the key, as planned:", "quire statement-key rotate --repo archive"},
		{"Replace it after a break-in:",
			"quire statement-key rotate --compromised-since 2026-11-03T00:00:00Z --repo archive"},
	},
	"statement-key distrust": {{"A retired key was in a backup that was lost:",
		"quire statement-key distrust GjTfwQll-fZeTwwk --since 2026-11-03T00:00:00Z --repo archive"}},

	"token add": {{"Make a token for a person with two roles:",
		"quire token add \"Ada Lovelace\" --role operator,curator --valid 365d --repo archive"}},
	"token list":   {{"See which tokens are valid:", "quire token list --repo archive"}},
	"token revoke": {{"End a token that was lost:", "quire token revoke T3 --repo archive"}},
	"submit": {
		{"Store packages later, a job for each:", "quire submit --repo archive ingest made/one made/two"},
		{"Package a crawl at night, with others of its share one at a time:",
			"quire submit --repo archive --at 2027-01-31T22:00:00Z --source nas-3 pack crawl --out made/crawl"},
		{"Repair what the copies lack:", "quire submit --repo archive audit --repair --owed"},
	},
	"work": {
		{"Run jobs until Ctrl-C:", "quire work --repo archive"},
		{"Run only audits and repairs, one at a time:",
			"quire work --repo archive --queues audit,repair --concurrency 1"},
		{"Run all that waits, and end:", "quire work --repo archive --drain"},
	},
	"watch": {
		{"Package each delivery that is complete by its manifest:",
			"quire watch --repo archive --complete manifest --as \"pack {} --out made/{name}\" deliveries/"},
		{"The same, from a bucket:", "quire watch --repo archive --as \"pack {} --out made/{name}\" s3://harvests/new"},
		{"Store the packages that others made, from a timer:", "quire watch --repo archive --once " +
			"--complete age:1h made/"},
	},
	"jobs list":   {{"List failed jobs:", "quire jobs list --state failed --repo archive"}},
	"jobs show":   {{"Show all about a job:", "quire jobs show 17 --repo archive"}},
	"jobs retry":  {{"Submit the command of a failed job again:", "quire jobs retry 17 --repo archive"}},
	"jobs cancel": {{"End a job:", "quire jobs cancel 17 --repo archive"}},
	"jobs pause":  {{"Begin no more packing for now:", "quire jobs pause pack --repo archive"}},
	"jobs resume": {{"Go on:", "quire jobs resume pack --repo archive"}},
	"copy add":    {{"Add a fourth copy, and fill it:", "quire copy add /mnt/new-disk/archive --repo archive"}},
	"copy list":   {{"List the copies with their states:", "quire copy list --repo archive"}},
	"copy check":  {{"Check that every copy is there and lacks nothing:", "quire copy check --repo archive"}},
	"copy replace": {{"Fill a new disk in place of a lost one:",
		"quire copy replace copy-2 /mnt/new-disk/archive --repo archive"}},
	"copy retire":   {{"Take a copy out of use:", "quire copy retire copy-3 --because lease-ended --repo archive"}},
	"copy move":     {{"Record the new place of a copy:", "quire copy move copy-3 /mnt/archive-3 --repo archive"}},
	"register show": {{"Show the register, its keys and anchors:", "quire register show --repo archive"}},
	"register anchor": {{"Keep its checkpoints on another disk, from now on after each audit:",
		"quire register anchor --add folder:/mnt/safe --repo archive"}},
	"register rotate": {{"Replace the key that signs it:", "quire register rotate --repo archive"}},
	"amend": {{"Change the rights of a stored package:",
		"quire amend harbour-museum --rights rights.yaml --because embargo-agreed --repo archive"},
		{"Describe it anew by a curator's sheet:",
			"quire amend harbour-museum --sheet websites.csv --because catalogued-again --repo archive"}},
	"diff": {{"Show the changes from the first to the second version:",
		"quire diff harbour-museum v1 v2 --repo archive"}},
	"audit": {
		{"Read every copy again:", "quire audit --repo archive"},
		{"Repair damaged files from a good copy:", "quire audit --repo archive --repair"},
		{"Write to each copy the packages that it lacks:", "quire audit --repo archive --repair --owed"},
		{"Say what that would mend, and write nothing:", "quire audit --repo archive --repair --dry-run"},
		{"Read for four hours, and go on later:", "quire audit --repo archive --for 4h"},
	},
	"report": {
		{"Report on a year to an auditor:", "quire report --repo archive --since 2026-01-01 --out report.html"},
		{"Print the form for statements of people:", "quire report --repo archive --template > attest.yaml"},
		{"Add these statements, as PDF:",
			"quire report --repo archive --attest attest.yaml --format pdf --out report.pdf"},
	},
	"verify-statement": {{"Check a statement with the public key that the archive published:",
		"quire verify-statement statement-20140314092653.json --key quire-statement-key.pem"}},
	"verify-report": {{"Accept only the key in a copy of the register:",
		"quire verify-report report.pdf --key archive/register/keys"}},
	"export": {
		{"Export a package unchanged:", "quire export harbour-museum --repo archive --out package"},
		{"Export a WACZ for ReplayWeb.page:", "quire export harbour-museum --repo archive --as wacz --out museum.wacz"},
		{"Export tables for research, or bring them up to date:",
			"quire export --repo archive --as parquet --out tables"},
	},
	"exports": {{"List the exports that takedowns name:", "quire exports --repo archive"}},
	"serve": {
		{"Serve readers on this machine:", "quire serve --repo archive"},
		{"Serve them with the settings in a file:", "quire serve --repo archive --config serve.yaml"},
		{"Serve operators, too, on an address of their own:", "quire serve --repo archive --operate 127.0.0.1:8001"},
	},
	"index": {
		{"Build the indexes before readers arrive:", "quire index --repo archive"},
		{"Export the capture index for pywb:", "quire index export cdxj --repo archive --out archive.cdxj"},
	},
	"thumbnail": {
		{"Show the main pages of all packages with Chromium:",
			"quire thumbnail all --repo archive --chromium chromium"},
		{"Show all captures of one page:",
			"quire thumbnail https://harbour-museum.example/ --repo archive --chromium /usr/bin/chromium"},
	},
	"search": {{"Find PDF files of 2026 about boats:", "quire search boats type:pdf year:2026 --repo archive"}},
	"missed": {{"List the URLs of a host that a harvest did not capture:",
		"quire missed harbour-museum --repo archive --host harbour-museum.example"}},
	"oai serve": {{"Serve harvesters on all addresses of this machine:",
		"quire oai serve --repo archive --listen :8091 --allow everyone"}},
	"oai harvest": {{"Harvest an OAI-PMH server into a package:",
		"quire oai harvest http://museum.example:8089/modoai --as package --out harvested"}},
	"oai check": {{"Test an OAI-PMH server:", "quire oai check http://museum.example:8089/modoai"}},
	"crate serve": {
		{"Serve a folder so that archives can harvest it:",
			"quire crate serve /var/www/html --listen :8089 --allow everyone"},
		{"Serve the website of another web server:",
			"quire crate serve --upstream http://localhost:8080 --listen :8089 --allow everyone"},
	},
	"assets install": {{"Download wabac.js for quire serve:", "quire assets install"}},
	"health":         {{"Ask a server on this machine:", "quire health http://127.0.0.1:8000"}},
	"demo": {
		{"Take the tour:", "quire demo"},
		{"Take it, and read the archived pages at the end:", "quire demo --serve"},
	},
	"completion": {{"Enable command completion in bash:",
		"quire completion bash > /etc/bash_completion.d/quire"}},
	"man": {{"Write the man pages:", "quire man --out /usr/local/share/man/man1"}},
}

// withExamples adds examples to each command. --help shows them below the flags. Subcommands share
// the examples of their group; each subcommand gets the examples that call it.
func withExamples(n *kong.Node, path string) {
	own := examples[path]
	if len(own) == 0 && path != "" { // a group shows the examples of all its subcommands
		for _, child := range n.Children {
			own = append(own, examples[path+" "+child.Name]...)
		}
	}
	n.Detail = detail(own)
	for _, child := range n.Children {
		withExamples(child, strings.TrimSpace(path+" "+child.Name))
		if child.Detail == "" {
			child.Detail = detail(examplesOf(child, path))
		}
	}
}

// examplesOf returns the examples of a group that call one of its subcommands. The default
// subcommand gets the examples that name no subcommand.
func examplesOf(child *kong.Node, group string) (own []example) {
	for _, e := range examples[group] {
		called := child.Parent.DefaultCmd
		for _, sibling := range child.Parent.Children {
			if strings.HasPrefix(e.call, "quire "+group+" "+sibling.Name+" ") {
				called = sibling
			}
		}
		if called == child {
			own = append(own, e)
		}
	}
	return own
}

func detail(all []example) string {
	var b strings.Builder
	for i, e := range all {
		if i == 0 {
			b.WriteString("Examples:\n")
		}
		b.WriteString("\n  " + e.does + "\n      " + e.call + "\n")
	}
	return b.String()
}
