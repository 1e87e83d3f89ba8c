// Package desk is the work of the service on a repository: it reads packages, jobs, decisions and audits, and carries
// out the decisions of persons. The API and the pages call it, as the commands call the same packages below. It does
// not decide who may do what: package role does, and the API and the pages ask it first.
package desk
