self.imported = "imported at " + location.pathname;
