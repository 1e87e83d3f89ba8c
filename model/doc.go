// Package model defines Quire's terms as Go types: collection, harvest, container, record, package,
// event, agent, object, rights, finding, copy. It imports no other package of Quire, so every layer
// can use it.
//
// docs/explanation/700_architecture.md defines the terms. The types hold facts; their only
// behaviour is formatting.
package model
