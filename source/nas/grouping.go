package nas

import (
	"path"
	"slices"
)

// groupByJob groups the metadata files by job: those with the same numbers and organization, unless
// two in different folders have the same name. Such files are copies, or come from two archives
// with equal numbers; then only the files of one folder form a group.
func groupByJob(witnesses []metadataFacts) [][]metadataFacts {
	folders := map[string]string{} // by the name of a file in a job
	apart := map[string]bool{}
	keys, definitions := make([]string, len(witnesses)), definitionsOf(witnesses)
	for i, w := range witnesses {
		keys[i] = keyOfJob(w, definitions)
		name := keys[i] + " " + withoutGzip(w.path)
		if folder, known := folders[name]; known && folder != path.Dir(w.path) {
			apart[keys[i]] = true
		}
		folders[name] = path.Dir(w.path)
	}
	groups := map[string]int{}
	var all [][]metadataFacts
	for i, w := range witnesses {
		k := keys[i]
		if apart[k] {
			k += " in " + path.Dir(w.path)
		}
		at, known := groups[k]
		if !known {
			at = len(all)
			groups[k] = at
			all = append(all, nil)
		}
		all[at] = append(all[at], w)
	}
	return all
}

// keyOfJob returns a key for the job of a metadata file.
func keyOfJob(w metadataFacts, definitions map[string][]string) string {
	if w.job == "" {
		return "file " + w.path // unknown job
	}
	key := "job " + w.job + " " + w.organization
	if known := definitions[key]; w.definition == "" && len(known) == 1 {
		w.definition = known[0]
	}
	return key + " " + w.definition
}

// definitionsOf lists the harvest definitions found with each job number. Lists of captures of
// version 3 do not have them.
func definitionsOf(witnesses []metadataFacts) map[string][]string {
	all := map[string][]string{}
	for _, w := range witnesses {
		key := "job " + w.job + " " + w.organization
		if w.definition != "" && !slices.Contains(all[key], w.definition) {
			all[key] = append(all[key], w.definition)
		}
	}
	return all
}
