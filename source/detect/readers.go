package detect

import (
	"slices"

	"quire/model"
	"quire/source"
	"quire/source/browsertrix"
	"quire/source/heritrix"
	"quire/source/httrack"
	"quire/source/nas"
	"quire/source/oaiharvest"
	"quire/source/pandas"
	"quire/source/wct"
	"quire/source/wget"
)

// readersWith lists the readers that recognise a system by its own files. dumps are database dumps
// of some of these systems. The order does not matter; see precedence.
func readersWith(dumps []string) []source.Reader {
	return []source.Reader{
		heritrix.Reader{},
		httrack.Reader{},
		pandas.Reader{Dumps: dumps},
		wct.Reader{Dumps: dumps},
		nas.Reader{Dumps: dumps},
		wget.Reader{},
		browsertrix.Reader{},
		oaiharvest.Reader{},
	}
}

// precedence lists the readers by name, the strongest first. If several recognise a file in one
// folder, the strongest gets it.
var precedence = []string{
	string(model.OAIPMH), string(model.NetarchiveSuite), string(model.WebCurator), string(model.Pandas),
	string(model.Browsertrix),
	string(model.Heritrix), string(model.HTTrack), string(model.Wget), string(model.SavedPages),
	string(model.Bare), string(model.PlainFolder),
}

// explains lists the systems that run another system's crawler. Such a system also claims the
// crawler's files at any depth below: the crawl log in a job of NetarchiveSuite comes from
// Heritrix, but the job is not one of Heritrix.
var explains = map[string][]string{
	string(model.NetarchiveSuite): {string(model.Heritrix)},
	string(model.WebCurator):      {string(model.Heritrix)},
	string(model.Pandas):          {string(model.HTTrack), string(model.Heritrix), string(model.Wget)},
	string(model.Browsertrix):     {string(model.Wget)},
}

// isMirror has the readers for mirrors: folders of hosts with their content.
var isMirror = map[string]bool{string(model.HTTrack): true, string(model.Wget): true, string(model.Pandas): true}

// rank returns the position of a reader in the precedence.
func rank(name string) int {
	if i := slices.Index(precedence, name); i >= 0 {
		return i
	}
	return len(precedence)
}
