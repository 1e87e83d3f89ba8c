// Package model holds the words of the house as Go types: collection, harvest, container, record,
// package, event, agent, object, rights, finding, copy. It imports nothing of ours, so that every
// floor can speak it.
//
// The words are defined in docs/explanation/700_architecture.md. Types here carry facts, no
// behaviour beyond saying themselves.
package model
