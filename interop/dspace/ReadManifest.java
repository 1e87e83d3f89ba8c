package org.dspace.content.packager;

import java.io.InputStream;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import org.dspace.services.ConfigurationService;
import org.dspace.services.factory.DSpaceServicesFactory;
import org.jdom2.Element;
import org.mockito.MockedStatic;
import org.mockito.Mockito;

/** Reads a METS package with DSpace's own reader, in the steps of its ingester. */
public class ReadManifest {
    static void say(String... parts) {
        System.out.println(String.join("\t", parts).replace("\n", " "));
    }

    public static void manifest(String path) throws Exception {
        ConfigurationService configuration = Mockito.mock(ConfigurationService.class, call ->
            call.getMethod().getReturnType() == List.class ? List.of() : null);
        DSpaceServicesFactory factory = Mockito.mock(DSpaceServicesFactory.class);
        Mockito.when(factory.getConfigurationService()).thenReturn(configuration);
        try (MockedStatic<DSpaceServicesFactory> services = Mockito.mockStatic(DSpaceServicesFactory.class);
             ZipFile zip = new ZipFile(path)) {
            services.when(DSpaceServicesFactory::getInstance).thenReturn(factory);
            read(zip);
        }
    }

    static void read(ZipFile zip) throws Exception {
        METSManifest manifest;
        try (InputStream in = zip.getInputStream(zip.getEntry(METSManifest.MANIFEST_FILE))) {
            manifest = METSManifest.create(in, false, "dspaceSIP");
        }
        say("profile", manifest.getProfile());
        if (!manifest.getProfile().startsWith(DSpaceMETSIngester.PROFILE_START)) {
            throw new Exception("profile");
        }
        for (Element dmd : manifest.getItemDmds()) {
            say("description", manifest.getMdType(dmd), String.valueOf(dmd.getAttributeValue("GROUPID")));
        }
        say("rights", String.valueOf(manifest.getItemRightsMD().length));
        Element primary = manifest.getPrimaryOrLogoBitstream();
        say("primary", primary == null ? "" : METSManifest.getFileName(primary));
        for (Element file : manifest.getContentFiles()) {
            String name = METSManifest.getFileName(file);
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                throw new Exception("no entry " + name);
            }
            say("bitstream", METSManifest.getBundleName(file), name, String.valueOf(entry.getSize()));
        }
        say("metadata files", String.valueOf(manifest.getMdFiles().size()));
    }
}
