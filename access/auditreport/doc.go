// Package auditreport makes the report on a repository for an auditor: holdings, copies, audits,
// damage and repair, overdue work, formats at risk, access, takedowns, and the requirements of NDSA
// Levels, CoreTrustSeal and ISO 16363, each with its evidence
// (docs/reference/375_report.md). Package publish writes it.
//
// Every figure comes from the records of the repository at one time. A fact that the records do not
// have is unknown, and is never counted as fulfilled. The report names no title and no URL, and it
// names only packages and collections that are open to the public.
package auditreport
