from django.db import migrations, models


def no_call_for_what_was_rendered_again(apps, _schema_editor):
    apps.get_model("reviewhub", "Attempt").objects.filter(rendered_from__isnull=False).update(calls=0)


class Migration(migrations.Migration):

    dependencies = [
        ('reviewhub', '0005_more'),
    ]

    operations = [
        migrations.AddField(
            model_name='attempt',
            name='advice_prompt_tokens',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='attempt',
            name='advice_reply_tokens',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='attempt',
            name='advice_seconds',
            field=models.FloatField(default=0),
        ),
        migrations.AddField(
            model_name='attempt',
            name='calls',
            field=models.PositiveSmallIntegerField(default=1, help_text='How often a model was called: once to write it, then about the finished text.'),
        ),
        migrations.AddField(
            model_name='attempt',
            name='grade',
            field=models.JSONField(blank=True, help_text='Scores and hard checks of a rubric, where one was given.', null=True),
        ),
        migrations.RunPython(no_call_for_what_was_rendered_again, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('calls__gte', 1), ('rendered_from__isnull', True)), models.Q(('calls', 0), ('rendered_from__isnull', False)), _connector='OR'), name='attempt_is_called_for'),
        ),
    ]
