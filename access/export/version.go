package export

import (
	"fmt"
	"slices"

	"quire/holdings"
	"quire/preserve/aip"
)

// shared is the set of files that an older version of a package has in common with the newest one,
// by path and SHA-512. Only the newest version is judged: other files may have been
// withdrawn.
type shared struct{ files map[string]bool }

// has reports whether the newest version has a file, too. All files of the newest version itself are
// shared.
func (s *shared) has(path string) bool { return s == nil || s.files[path] }

// choose selects the version, 0 for the newest.
func (s *Source) choose(version int) error {
	s.at = len(s.Record.Versions) - 1
	if version == 0 || version == s.Record.Versions[s.at].Number {
		return nil
	}
	for i := range s.Record.Versions {
		if s.Record.Versions[i].Number == version {
			s.at = i
			return nil
		}
	}
	return fmt.Errorf("version %d of %s does not exist; the newest is %d", version, s.ID(),
		s.Record.Versions[s.at].Number)
}

// content are the uses of files that may have been withdrawn.
var content = []string{aip.UseContainers, aip.UseLogs, aip.UseDocuments, aip.UseOriginals}

// older limits the source to the files that an older version shares with the newest one, and lists the
// others as withheld. It names those only for curators: names of files may contain hosts.
func (s *Source) older() error {
	newest := &s.Record.Versions[len(s.Record.Versions)-1]
	chosen := &s.Record.Versions[s.at]
	if newest == chosen {
		return nil
	}
	sums := make(map[string]string, len(newest.Files))
	for i := range newest.Files {
		sums[newest.Files[i].Path] = newest.Files[i].SHA512
	}
	s.shared = &shared{map[string]bool{}}
	for i := range chosen.Files {
		f := &chosen.Files[i]
		if sums[f.Path] == f.SHA512 {
			s.shared.files[f.Path] = true
			continue
		}
		if !slices.Contains(content, f.Use) {
			continue // descriptions of the version itself
		}
		k := Withheld{Reason: ByRights, Path: topOf(f.Path), Verdict: holdings.Blocked,
			Message: fmt.Sprintf("version %d has this file, and the newest version does not", chosen.Number)}
		if s.Who.Class == holdings.Staff {
			k.Path = f.Path
		}
		if err := s.Withhold(k); err != nil {
			return err
		}
	}
	s.Package.Files = slices.DeleteFunc(s.Package.Files, func(f holdings.File) bool { return !s.shared.has(f.Path) })
	return nil
}
