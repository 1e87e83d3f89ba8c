// Package role says which persons and programs may do what by the service of a repository: the roles, the operations
// of its API and its pages, and the roles of each operation (docs/reference/377_service.md).
package role
