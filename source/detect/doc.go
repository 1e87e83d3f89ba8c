// Package detect finds the harvests in a source. It opens the named files and folders and runs
// every reader on them. It also decides between readers that recognise the same files. Every
// command with a SOURCE argument uses it.
//
// Each file of the source is in exactly one place: a harvest (Found.Files, without Shared), an
// archive that was opened for the harvests in it, or Unclaimed.
// docs/reference/400_identify-source.md describes the rules.
package detect
