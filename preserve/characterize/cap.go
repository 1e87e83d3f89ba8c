package characterize

import "quire/model"

// MaxNames bounds each list of names. A domain crawl has hundreds of thousands of hosts, but a
// description should grow only with the number of containers. The most frequent names are kept; the
// rest is summed in one line.
const MaxNames = 1000

// otherNames is the name of that line. The pass uses the same name for values that it does not
// distinguish.
const otherNames = "(other)"

// capped keeps the first names, and sums the rest.
func capped(list []model.Count) []model.Count {
	if len(list) <= MaxNames {
		return list
	}
	kept := make([]model.Count, 0, MaxNames+1)
	other := model.Count{Name: otherNames}
	for _, c := range list {
		if len(kept) < MaxNames && c.Name != otherNames {
			kept = append(kept, c)
			continue
		}
		other.Count += c.Count
		other.Bytes += c.Bytes
	}
	return append(kept, other)
}
