package main

import "github.com/alecthomas/kong"

// helpTexts are the texts of help that are too long for a struct tag, which is one line.
var helpTexts = kong.Vars{
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
	"copyHelp": "Add, list, check, replace, retire and move the copies of a repository, while readers use it.",
	"copyPath": "The new or empty place of the copy: a folder, s3://BUCKET/PREFIX, or file:///FOLDER for a " +
		"mount.",
	"initSchedule": "When audits are due, for quire audit --due: \"full every 365d, sample 1% every 7d\". " +
		"Kept by a rebuild.",
	"listAfter": "List the packages after this one, in the order of their ids: the last of the page " +
		"before.",
	"amend_help": "Change title, rights or notes of a stored package: a new version, whose containers stay " +
		"untouched.",
	"amend_rights": "The new rights statements (YAML). They replace those of the file in the package; statements " +
		"of curators' systems stay.",
	"amend_schemas": "Folder of XML schemas for the validation (with drivers/mets-all.xsd).",
	"diff_help":     "Compare two versions of a package: its files, and the description in its METS.",
	"document_help": "Keep rules, policies and agreements in every copy of a repository, version by version.",
	"document_name": "Name of the document, in lower case: rules; policy-NAME; others for agreements and the " +
		"like.",
	"export_version": "The version to export. Default: the newest. In forms other than aip, the rights of today " +
		"decide, and files that the newest version no longer has are withheld.",
	"rules_help": "Check the access rules, explain why a reader may or may not see something, and keep the " +
		"rules in a repository.",
	"rules_set":       "Store the rules in every copy of a repository, with the reason of the change.",
	"withdraw_access": "blocked, for all readers (default); restricted: curators may still see it.",
	"withdraw_certificate": "Write the certificate for the claimant to this new file: JSON if its name ends " +
		"in .json, else HTML.",
	"withdraw_help": "Close a URL or a package for all readers, with an event and a certificate; end that, list " +
		"it.",
	"withdraw_message": "Show readers this message instead of the content. Default: the content is hidden.",
	"withdraw_of":      "A URL pattern as in access rules, or the identifier of a package.",
	"withdraw_run":     "Close a URL or a package for all readers, by a decision. The word run can be left out.",
	"withdraw_until":   "The last day of the withdrawal (2027-01-31). Default: without end.",
}
