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

// readersWith lists those that know a system by its own files; dumps are of databases that some of
// the systems have. The order does not matter; see precedence.
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

// precedence lists the readers by name, the strongest first: who comes first has files that several
// recognise in one folder.
var precedence = []string{
	string(model.OAIPMH), string(model.NetarchiveSuite), string(model.WebCurator), string(model.Pandas),
	string(model.Browsertrix),
	string(model.Heritrix), string(model.HTTrack), string(model.Wget), string(model.Bare), string(model.PlainFolder),
}

// explains says which systems run a crawler of others, and so explain what its reader recognises,
// wherever below it lies: the crawl log in a job of NetarchiveSuite is Heritrix's, and the job is
// not.
var explains = map[string][]string{
	string(model.NetarchiveSuite): {string(model.Heritrix)},
	string(model.WebCurator):      {string(model.Heritrix)},
	string(model.Pandas):          {string(model.HTTrack), string(model.Heritrix), string(model.Wget)},
	string(model.Browsertrix):     {string(model.Wget)},
}

// isMirror says whose harvests are folders of hosts with what these sent.
var isMirror = map[string]bool{string(model.HTTrack): true, string(model.Wget): true, string(model.Pandas): true}

// rank is the place of a reader in the precedence.
func rank(name string) int {
	if i := slices.Index(precedence, name); i >= 0 {
		return i
	}
	return len(precedence)
}
