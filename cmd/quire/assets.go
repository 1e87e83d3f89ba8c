package main

import (
	"context"
	"path/filepath"

	"quire/access/wabac"
)

// assetsCmd is about what quire serve can use beside itself.
type assetsCmd struct {
	Install assetsInstallCmd `cmd:"" help:"Bring wabac.js (AGPL, so it is no part of quire), for archived pages whose scripts need it."`
}

type assetsInstallCmd struct {
	jsonFlag
	To   string `placeholder:"FOLDER" help:"Where it is put, which assets: in the settings of quire serve names; by default where quire serve looks by itself."`
	From string `placeholder:"FILE|URL" help:"The package, where there is no way to the registry of npm."`
}

// Run installs the release that is pinned.
func (c *assetsInstallCmd) Run(ctx context.Context, t *terminal) error {
	dir := c.To
	if dir == "" {
		var err error
		if dir, err = wabac.DefaultDir(); err != nil {
			return err
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	release, err := wabac.Install(ctx, dir, wabac.InstallOptions{From: c.From})
	if err != nil {
		return err
	}
	if c.JSON {
		return t.json(struct {
			wabac.Release
			Folder string `json:"folder"`
		}{release, dir})
	}
	t.printf("%s %s is in %s\n", release.Name, release.Version, dir)
	t.printf("licence  %s; its source: %s\n", release.Licence, release.Source)
	t.printf("digest   %s\n", release.Package)
	return nil
}
