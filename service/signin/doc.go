// Package signin keeps the sessions of persons that use the pages of the service in a browser
// (docs/reference/377_service.md).
package signin
