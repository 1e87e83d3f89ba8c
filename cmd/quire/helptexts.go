package main

import "github.com/alecthomas/kong"

// helpTexts are the texts of flags that are too long for a line.
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
	"initSchedule": "When audits are due, for quire audit --due: \"full every 365d, sample 1% every 7d\". " +
		"Kept by a rebuild.",
	"listAfter": "List the packages after this one, in the order of their ids: the last of the page " +
		"before.",
}
