package role

import "slices"

// Operation is one thing that the service does.
type Operation struct {
	ID    string
	Does  string
	Roles []Role
}

var (
	anyone    = All()
	staff     = []Role{Curator, Operator, Approver, Auditor}
	decisions = []Role{Curator, Approver, Auditor}
	running   = []Role{Curator, Operator, Auditor}
	watching  = []Role{Operator, Auditor}
)

// operations is the whole list. An operation that is not here does not exist.
var operations = []Operation{
	{"whoami", "Show your name and roles.", anyone},
	{"packages-list", "List packages.", anyone},
	{"package-show", "Show a package.", anyone},
	{"package-versions", "List the versions of a package.", staff},
	{"package-files", "List the files of the newest version of a package.", staff},
	{"package-copies", "Show the copies and events of a package.", staff},
	{"package-rights", "Show who may see a package, and why.", staff},

	{"withdrawals-list", "List withdrawals.", decisions},
	{"withdrawal-make", "Withdraw content from readers.", []Role{Curator}},
	{"withdrawal-lift", "End a withdrawal.", []Role{Curator}},
	{"holds-list", "List holds.", decisions},
	{"hold-set", "Forbid the purge of a package.", []Role{Curator}},
	{"hold-lift", "End a hold.", []Role{Curator}},
	{"purges-list", "List purges and requests.", decisions},
	{"purge-request", "Ask for the purge of a package.", []Role{Curator}},
	{"purge-approve", "Approve a purge as the second person.", []Role{Approver}},
	{"purge-cancel", "End a request for a purge.", []Role{Curator, Approver}},

	{"jobs-list", "List jobs.", running},
	{"job-show", "Show a job.", running},
	{"job-submit", "Submit a job.", []Role{Curator, Operator}},
	{"job-retry", "Submit the command of a job again.", []Role{Operator}},
	{"job-cancel", "End a job.", []Role{Operator}},
	{"queues-list", "List queues and workers.", running},
	{"queue-pause", "Let workers take no more jobs of a queue.", []Role{Operator}},
	{"queue-resume", "End the pause of a queue.", []Role{Operator}},

	{"copies-list", "List the copies of the repository.", watching},
	{"audits-list", "List audits.", watching},
	{"audits-due", "List the audits of the schedule.", watching},
	{"incidents-list", "List damage and losses.", watching},
	{"statistics", "Count the repository by a criterion.", running},
	{"reports-list", "List reports.", watching},
	{"report-make", "Ask for a report on the repository.", watching},
	{"report-get", "Download a report.", watching},
	{"metrics", "Read metrics for Prometheus.", watching},
}

// Operations returns all operations.
func Operations() []Operation { return slices.Clone(operations) }

// Find returns the operation with an id.
func Find(id string) (Operation, bool) {
	i := slices.IndexFunc(operations, func(o Operation) bool { return o.ID == id })
	if i < 0 {
		return Operation{}, false
	}
	return operations[i], true
}
