// Package page is the service for persons: pages on arrivals, running and failed jobs, copies and disk, audits and
// decisions that wait. They have the readers' design, work without scripts and by keyboard,
// and ask package role as the API does (docs/reference/377_service.md).
package page
