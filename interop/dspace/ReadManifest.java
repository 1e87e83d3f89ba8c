package org.dspace.content.packager;

import java.io.InputStream;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import org.dspace.content.Item;
import org.dspace.content.MetadataField;
import org.dspace.content.crosswalk.CrosswalkMetadataValidator;
import org.dspace.content.crosswalk.DIMIngestionCrosswalk;
import org.dspace.content.factory.ContentServiceFactory;
import org.dspace.content.service.ItemService;
import org.dspace.core.Constants;
import org.dspace.core.Context;
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

    /** Reads the section in DSpace's own form with DSpace's crosswalk. */
    static void readFields(METSManifest manifest) throws Exception {
        for (Element dmd : manifest.getItemDmds()) {
            if (!manifest.getMdType(dmd).equals("DIM")) {
                continue;
            }
            Element dim = dmd.getChild("mdWrap", dmd.getNamespace()).getChild("xmlData", dmd.getNamespace())
                .getChildren().get(0);
            ItemService items = Mockito.mock(ItemService.class, call -> {
                if (call.getMethod().getName().equals("addMetadata")) {
                    Object[] a = call.getArguments();
                    say("metadata", String.valueOf(a[2]), String.valueOf(a[a.length - 1]));
                }
                return null;
            });
            try (MockedStatic<ContentServiceFactory> content = Mockito.mockStatic(ContentServiceFactory.class)) {
                ContentServiceFactory services = Mockito.mock(ContentServiceFactory.class);
                content.when(ContentServiceFactory::getInstance).thenReturn(services);
                Mockito.when(services.getItemService()).thenReturn(items);
                Item item = Mockito.mock(Item.class);
                Mockito.when(item.getType()).thenReturn(Constants.ITEM);
                DIMIngestionCrosswalk crosswalk = new DIMIngestionCrosswalk();
                java.lang.reflect.Field field = DIMIngestionCrosswalk.class.getDeclaredField("itemService");
                field.setAccessible(true);
                field.set(crosswalk, items);
                CrosswalkMetadataValidator validator = Mockito.mock(CrosswalkMetadataValidator.class, call -> {
                    Object[] a = call.getArguments();
                    String name = a[1] + "." + a[2] + (a[3] == null ? "" : "." + a[3]);
                    return Mockito.mock(MetadataField.class, inner ->
                        inner.getMethod().getName().equals("toString") ? name : null);
                });
                java.lang.reflect.Field checks = DIMIngestionCrosswalk.class.getDeclaredField("metadataValidator");
                checks.setAccessible(true);
                checks.set(crosswalk, validator);
                crosswalk.ingest(Mockito.mock(Context.class), item, dim, false);
            }
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
        readFields(manifest);
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
