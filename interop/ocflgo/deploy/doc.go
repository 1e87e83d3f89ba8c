// Package deploy checks the files in deploy/ with the schemas of Compose and Kubernetes, offline. It is in this module
// because peers that are Go modules are not in Quire's own.
package deploy
