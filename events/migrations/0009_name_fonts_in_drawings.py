"""Drawings were cleaned and took the page's font; as images they would be written in the browser's serif font."""

from django.db import migrations

CLEANED = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="'
WITH_FONT = '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" viewBox="'


def with_font(drawing):
    return drawing.replace(CLEANED, WITH_FONT, 1) if drawing.startswith(CLEANED) else drawing


def name_fonts(apps, schema_editor):
    plans = apps.get_model("events", "FloorPlan").objects.using(schema_editor.connection.alias)
    for plan in plans.exclude(drawing="").iterator(chunk_size=10):
        plan.drawing = with_font(plan.drawing)
        # What the file said last: where it differs from the row, the next import takes the row for edited by hand.
        if "drawing" in plan.imported:
            plan.imported["drawing"] = with_font(plan.imported["drawing"])
        plan.save(update_fields=["drawing", "imported"])


class Migration(migrations.Migration):
    dependencies = [("events", "0008_drop_calendar_problems_and_zone_rules")]

    operations = [migrations.RunPython(name_fonts, migrations.RunPython.noop, elidable=True)]
