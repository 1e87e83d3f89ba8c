package register

import (
	"errors"
	"iter"
)

// TileFiles yields the names of the files, below the folder of a register with size leaves, that one with the first
// from leaves lacks or has in part. The files keys and checkpoint are not among them.
func TileFiles(from, size int64) iter.Seq[string] {
	return func(yield func(string) bool) {
		for level := entriesLevel; size>>(tileHeight*max(level, 0)) > 0; level++ {
			shift := tileHeight * max(level, 0)
			before, items := from>>shift, size>>shift
			if items == before {
				continue
			}
			for n := before >> tileHeight; n<<tileHeight < items; n++ {
				if !yield(tilePath(level, n, int(min(items-n<<tileHeight, tileWidth)))) {
					return
				}
			}
		}
	}
}

// CheckHead compares the checkpoint of a register in another place with this one: it is signed by the key of its time,
// and its tree is the beginning of this one. If it has more leaves, the finding is [RegisterBehind] about this one. It
// returns no finding if all holds. The error is about this register.
func (r *Reader) CheckHead(place string, text []byte) (Checkpoint, *Finding, error) {
	f := &Finding{Code: RegisterDamaged, Folder: place, Index: -1, File: checkpointFile}
	there, wrongForm := ParseCheckpoint(text)
	if wrongForm != nil {
		f.Detail = wrongForm.Error()
		return there, f, nil //nolint:nilerr // the finding says it
	}
	chain, err := r.folder.keys(r.Head.Origin, r.Head.tree())
	if err != nil {
		return there, nil, err
	}
	switch {
	case there.Origin != r.Head.Origin:
		f.Code, f.Expected, f.Found = RegisterForked, r.Head.Origin, there.Origin
		f.Detail = "it belongs to another register"
		return there, f, nil
	case !there.SignedBy(chain.at(there.Size)):
		f.Code, f.Detail = RegisterSignature, "the key of this register did not sign it"
		return there, f, nil
	case there.Size > r.Head.Size:
		return there, &Finding{Code: RegisterBehind, Folder: string(r.folder), Index: r.Head.Size,
			Expected: sizeOf(there.Size), Found: sizeOf(r.Head.Size), Detail: place + " has more leaves: the " +
				"register went back to an earlier state, or another repository with this key wrote there"}, nil
	}
	var wrong *FindingError
	if err = r.folder.extends(r.Head, there); errors.As(err, &wrong) && wrong.Finding.Code == RegisterForked {
		f.Code, f.Expected, f.Found, f.Detail = RegisterForked, wrong.Finding.Expected, wrong.Finding.Found,
			wrong.Finding.Detail
		return there, f, nil
	}
	return there, nil, err
}
