package reconcile

import (
	"fmt"
	"strings"

	"quire/model"
)

// miss lists the missing containers, before they explain lines without a record.
func (r *run) miss() error {
	var names []string
	for _, c := range r.shelf.all {
		if c.present || c.renamed || c.elsewhere != "" || len(c.listings) == 0 || c.listsNothing() {
			continue
		}
		r.missing = append(r.missing, c)
		if len(names) < maxListings {
			names = append(names, c.name)
		}
	}
	r.missingNames = strings.Join(names, ", ")
	return nil
}

// judgeContainers compares containers with the lists of containers.
func (r *run) judgeContainers() error {
	listed := false
	indexed := r.out.Witnesses.Index.Entries > 0
	for _, c := range r.shelf.all {
		for _, l := range c.listings {
			listed = listed || l.by != gapList
		}
	}
	for _, c := range r.shelf.all {
		if err := r.judgeContainer(c, listed, indexed); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) judgeContainer(c *container, listed, indexed bool) error {
	at := Case{Container: c.name}
	if !c.present {
		if c.renamed || c.elsewhere != "" || len(c.listings) == 0 && c.entries == 0 && c.lost == 0 {
			return nil
		}
		why := reasonAbsent
		at.Detail = "listed by " + strings.Join(c.listedBy(), ", ")
		if c.listsNothing() {
			why = reasonNothing
		}
		return r.differ(ContainerAbsent, why, at)
	}
	if err := r.judgeSizes(c, at); err != nil {
		return err
	}
	if c.metadata || c.content == 0 { // lists and indexes cover only content
		return nil
	}
	if listed && len(c.listings) == 0 {
		if err := r.differ(ContainerNotListed, nil, at); err != nil {
			return err
		}
	}
	if indexed && c.entries == 0 {
		return r.differ(ContainerNotIndexed, reasonWholeIndex, at)
	}
	return nil
}

func (r *run) judgeSizes(c *container, at Case) error {
	for _, l := range c.listings {
		at.Detail = fmt.Sprintf("%s has %d bytes, and the container %d", l.by, l.size, c.size)
		if l.size >= 0 && l.size != c.size {
			why := reasonNone
			switch {
			case c.gzipped && l.size == c.inflated:
				why = reasonCompressed
			case c.cut != "":
				why = reasonCut
			}
			if err := r.differ(ContainerSizeDiffers, why, at); err != nil {
				return err
			}
			continue // the digest cannot match
		}
		if l.digest != "" {
			at.Detail = fmt.Sprintf("%s has the %s %s", l.by, l.algorithm, l.digest)
			if err := r.differ(ContainerSumDiffers, nil, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *container) listsNothing() bool {
	for _, l := range c.listings {
		if l.size != 0 {
			return false
		}
	}
	return len(c.listings) > 0
}

func (c *container) listedBy() (all []string) {
	for _, l := range c.listings {
		all = append(all, l.by)
	}
	if c.entries > 0 {
		all = append(all, fmt.Sprintf("%d entries of the index", c.entries))
	}
	if len(all) == 0 {
		all = []string{"the log"}
	}
	return all
}

// odd reports whether a container has differences.
func (c *container) odd() bool {
	return !c.present && !c.renamed && c.elsewhere == "" || c.cut != "" || c.within != "" ||
		c.outcome == model.Invalid || c.outcome == model.NotContainer || c.lost > 0
}
