package nas

import (
	"path"
	"slices"
)

// together puts the metadata files of one job together: those of the same numbers and organization,
// unless two in different folders have the same name. Those are copies, or of two archives that
// count alike; then only what lies in one folder belongs together.
func together(witnesses []witness) [][]witness {
	folders := map[string]string{} // of each name of each job
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
	var all [][]witness
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

// keyOfJob tells which job a metadata file is of.
func keyOfJob(w witness, definitions map[string][]string) string {
	if w.job == "" {
		return "file " + w.path // nobody knows of what
	}
	key := "job " + w.job + " " + w.organization
	if known := definitions[key]; w.definition == "" && len(known) == 1 {
		w.definition = known[0]
	}
	return key + " " + w.definition
}

// definitionsOf lists for each number of a job the harvest definitions that are told with it. Lists
// of captures of version 3 do not tell it.
func definitionsOf(witnesses []witness) map[string][]string {
	all := map[string][]string{}
	for _, w := range witnesses {
		key := "job " + w.job + " " + w.organization
		if w.definition != "" && !slices.Contains(all[key], w.definition) {
			all[key] = append(all[key], w.definition)
		}
	}
	return all
}
