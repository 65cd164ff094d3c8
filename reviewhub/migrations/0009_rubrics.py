import django.core.validators
import django.db.models.deletion
import reviewhub.models.rules
import simple_history.models
from django.conf import settings
from django.db import migrations, models


COLUMNS = ("queue_id", "domain", "name", "number", "threshold", "criteria", "hard_checks", "published_at", "published_by_id")
SAID = "a published rubric stays as it is: begin a new version"


def fix_what_is_published(_apps, schema_editor):
    """Have the database refuse a change of a published version. SQLite forgets it when a later migration makes the table anew."""
    if schema_editor.connection.vendor == "postgresql":
        changed = " OR ".join(f"NEW.{name} IS DISTINCT FROM OLD.{name}" for name in COLUMNS)
        schema_editor.execute(
            f"""CREATE FUNCTION reviewhub_rubric_is_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION '{SAID}' USING ERRCODE = 'check_violation'; END $$"""
        )
        schema_editor.execute(
            f"""CREATE TRIGGER rubric_is_fixed BEFORE UPDATE ON reviewhub_rubric FOR EACH ROW
            WHEN (OLD.published_at IS NOT NULL AND ({changed})) EXECUTE FUNCTION reviewhub_rubric_is_fixed()"""
        )
    else:
        changed = " OR ".join(f"NEW.{name} IS NOT OLD.{name}" for name in COLUMNS)
        schema_editor.execute(
            f"""CREATE TRIGGER rubric_is_fixed BEFORE UPDATE ON reviewhub_rubric
            WHEN OLD.published_at IS NOT NULL AND ({changed}) BEGIN SELECT RAISE(ABORT, '{SAID}'); END"""
        )


def free_it(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER rubric_is_fixed ON reviewhub_rubric")
        schema_editor.execute("DROP FUNCTION reviewhub_rubric_is_fixed()")
    else:
        schema_editor.execute("DROP TRIGGER rubric_is_fixed")


class Migration(migrations.Migration):

    dependencies = [
        ('reviewhub', '0008_avoid_lines'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HistoricalRubric',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('domain', models.CharField(choices=reviewhub.models.rules.domain_choices, help_text='Which kind of cases it is for.', max_length=30)),
                ('name', models.CharField(help_text='A short name in small letters, such as house_style. Grades are shown under name@number.', max_length=60, validators=[django.core.validators.RegexValidator('\\A[a-z][a-z0-9_]*\\Z', 'Use small letters, digits and _, beginning with a letter.')])),
                ('number', models.PositiveIntegerField(default=1, editable=False)),
                ('threshold', models.FloatField(default=0.8, help_text='The overall score, from 0 to 1, that a text has to reach.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('criteria', models.JSONField(help_text='A JSON list of {"id", "title", "description", "weight", "low", "high"}; low and high say what a text is like that earns 1 and 5.')),
                ('hard_checks', models.JSONField(blank=True, default=list, help_text='A JSON list of {"id", "description", "validator", "params", "criterion"}: validators of the catalogue that a text has to pass whatever its scores.')),
                ('published_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('is_used', models.BooleanField(default=False, editable=False, verbose_name='in use')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('published_by', models.ForeignKey(blank=True, db_constraint=False, editable=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('queue', models.ForeignKey(blank=True, db_constraint=False, help_text='Whose drafts it grades.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='reviewhub.queue')),
            ],
            options={
                'verbose_name': 'historical rubric',
                'verbose_name_plural': 'historical rubrics',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='JudgeCalibration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(max_length=200)),
                ('texts', models.PositiveIntegerField()),
                ('kappa', models.FloatField(blank=True, null=True)),
                ('lower', models.FloatField(blank=True, null=True)),
                ('upper', models.FloatField(blank=True, null=True)),
                ('bar', models.FloatField()),
                ('holds', models.BooleanField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['-at', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('holds', False), models.Q(('kappa__isnull', False), ('lower__gte', models.F('bar'))), _connector='OR'), name='calibration_holds_above_its_bar')],
            },
        ),
        migrations.CreateModel(
            name='Rubric',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(choices=reviewhub.models.rules.domain_choices, help_text='Which kind of cases it is for.', max_length=30)),
                ('name', models.CharField(help_text='A short name in small letters, such as house_style. Grades are shown under name@number.', max_length=60, validators=[django.core.validators.RegexValidator('\\A[a-z][a-z0-9_]*\\Z', 'Use small letters, digits and _, beginning with a letter.')])),
                ('number', models.PositiveIntegerField(default=1, editable=False)),
                ('threshold', models.FloatField(default=0.8, help_text='The overall score, from 0 to 1, that a text has to reach.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('criteria', models.JSONField(help_text='A JSON list of {"id", "title", "description", "weight", "low", "high"}; low and high say what a text is like that earns 1 and 5.')),
                ('hard_checks', models.JSONField(blank=True, default=list, help_text='A JSON list of {"id", "description", "validator", "params", "criterion"}: validators of the catalogue that a text has to pass whatever its scores.')),
                ('published_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('is_used', models.BooleanField(default=False, editable=False, verbose_name='in use')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('published_by', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('queue', models.ForeignKey(help_text='Whose drafts it grades.', on_delete=django.db.models.deletion.PROTECT, related_name='rubrics', to='reviewhub.queue')),
            ],
            options={
                'ordering': ['queue', 'domain', 'name', '-number'],
                'constraints': [models.UniqueConstraint(fields=('queue', 'domain', 'name', 'number'), name='one_rubric_per_number'), models.UniqueConstraint(condition=models.Q(('published_at__isnull', True)), fields=('queue', 'domain', 'name'), name='one_rubric_to_edit', violation_error_message='A version of this rubric can be edited already. Change that one.'), models.UniqueConstraint(condition=models.Q(('is_used', True)), fields=('queue', 'domain'), name='one_rubric_in_use_per_domain'), models.CheckConstraint(condition=models.Q(('is_used', False), ('published_at__isnull', False), _connector='OR'), name='rubric_in_use_is_published'), models.CheckConstraint(condition=models.Q(('threshold__gte', 0), ('threshold__lte', 1)), name='rubric_threshold_is_share')],
            },
        ),
        migrations.RunPython(fix_what_is_published, free_it),
    ]
