from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reviewhub", "0004_decide")]

    operations = [
        migrations.AddIndex(
            model_name="exemplar",
            index=models.Index(fields=["queue", "state", "state_since", "id"], name="exemplar_by_time"),
        ),
    ]
