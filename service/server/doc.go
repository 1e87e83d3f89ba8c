// Package server serves the operators of a repository and their programs, on an address of its own: the API, the pages,
// health checks and metrics. It says who a request is from; package role says what they may do
// (docs/reference/377_service.md).
package server
