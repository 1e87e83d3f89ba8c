package aip

import (
	"io/fs"

	"quire/model"
)

// ContainerNumbers are the numbers of one container.
type ContainerNumbers struct {
	Path string         // in the package; "" if the METS lists no such file
	Rows []model.Number // with the harvest of the container
}

// NumbersByContainer reads the numbers of each container from the METS of a package, in the order of the METS. Memory
// is bounded like that of [Describe].
func NumbersByContainer(fsys fs.FS) ([]ContainerNumbers, error) {
	d := describer{pkg: model.Package{METS: METSName}, numbers: newNumbers(), paths: map[int]string{}}
	err := d.readMETS(fsys)
	if err == nil {
		err = d.readSidecar(fsys)
	}
	if err != nil {
		return nil, err
	}
	all := make([]ContainerNumbers, 0, len(d.numbers.containers))
	for _, c := range d.numbers.containers {
		harvest := d.numbers.of[c.n]
		for i := range c.rows {
			c.rows[i].Harvest = harvest
		}
		all = append(all, ContainerNumbers{d.paths[c.n], c.rows})
	}
	return all, nil
}
