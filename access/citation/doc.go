// Package citation writes citations of captures: as a link that survives its target (Robust Links,
// robustlinks.mementoweb.org), as a PWID (urn:pwid, registered with IANA in 2018), and for the
// programs that manage references (BibTeX, RIS).
//
// Titles and URLs are from archived content. No character of theirs ends the field that it is in.
package citation
