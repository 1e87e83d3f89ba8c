// Package health says how a service and its repository are: whether the service can work, and numbers for Prometheus
// (docs/reference/377_service.md). A question costs the repository the same, however often it is asked.
package health
