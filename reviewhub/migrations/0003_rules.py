import django.core.validators
import django.db.models.deletion
import reviewhub.models.rules
import simple_history.models
from django.conf import settings
from django.db import migrations, models


_REASONS = [
    ("wrong_facts", "The facts are wrong or out of date", False),
    ("wrong_tone", "The tone does not fit", False),
    ("not_needed", "Nothing needs to be sent", False),
    ("answered_elsewhere", "Answered by phone or another way", False),
    ("unusable", "The text cannot be used", False),
    ("other", "Another reason", True),
]


def seed_reasons(apps, _schema_editor):
    """Offer everybody the reasons that the hub began with."""
    reasons = apps.get_model("reviewhub", "DeclineReason")
    for place, (code, label, needs_note) in enumerate(_REASONS, start=1):
        given = {"label": label, "needs_note": needs_note, "position": place * 10}
        reasons.objects.get_or_create(code=code, defaults=given)


class Migration(migrations.Migration):

    dependencies = [
        ('reviewhub', '0002_exemplars'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DeclineReason',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(help_text='What reviews and exports keep, such as wrong_person. It stays as it is once saved.', max_length=20, unique=True, validators=[django.core.validators.RegexValidator('\\A[a-z][a-z0-9_]*\\Z', 'Use small letters, digits and _, beginning with a letter: wrong_person.')])),
                ('label', models.CharField(help_text='What people read: a few words.', max_length=120)),
                ('needs_note', models.BooleanField(default=False, help_text='Whether whoever chooses it must add a few words.')),
                ('is_active', models.BooleanField(default=True, help_text='Untick to retire it: old reviews keep it, nobody is offered it any more.', verbose_name='offered')),
                ('position', models.PositiveSmallIntegerField(default=100, help_text='Lower ones are offered first.')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
            ],
            options={
                'ordering': ['position', 'id'],
            },
        ),
        migrations.CreateModel(
            name='HistoricalDeclineReason',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('code', models.CharField(db_index=True, help_text='What reviews and exports keep, such as wrong_person. It stays as it is once saved.', max_length=20, validators=[django.core.validators.RegexValidator('\\A[a-z][a-z0-9_]*\\Z', 'Use small letters, digits and _, beginning with a letter: wrong_person.')])),
                ('label', models.CharField(help_text='What people read: a few words.', max_length=120)),
                ('needs_note', models.BooleanField(default=False, help_text='Whether whoever chooses it must add a few words.')),
                ('is_active', models.BooleanField(default=True, help_text='Untick to retire it: old reviews keep it, nobody is offered it any more.', verbose_name='offered')),
                ('position', models.PositiveSmallIntegerField(default=100, help_text='Lower ones are offered first.')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
            ],
            options={
                'verbose_name': 'historical decline reason',
                'verbose_name_plural': 'historical decline reasons',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='HistoricalMembership',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('role', models.CharField(choices=[('viewer', 'Viewer'), ('operator', 'Operator'), ('lead', 'Lead')], max_length=10)),
                ('may_export', models.BooleanField(default=False, help_text="Whether they may export the queue's decisions; leads and administrators always may.")),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
            ],
            options={
                'verbose_name': 'historical membership',
                'verbose_name_plural': 'historical memberships',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='HistoricalPatternRule',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('domain', models.CharField(choices=reviewhub.models.rules.domain_choices, help_text='Which kind of cases it is for.', max_length=30)),
                ('name', models.CharField(help_text='A short name in small letters, such as no-guarantees. Findings are shown under it.', max_length=40, validators=[django.core.validators.RegexValidator('\\A[a-z][a-z0-9_-]*\\Z', 'Use small letters, digits, - and _, beginning with a letter: no-guarantees.')])),
                ('enabled', models.BooleanField(default=True, help_text='Whether drafts are searched for it.')),
                ('pattern', models.CharField(help_text='A regular expression in RE2 syntax, such as (?i)\\bguarantee[ds]?\\b. (?i) ignores letter case; there are no look-arounds and no back-references. Prose is searched, never what code renders.', max_length=500)),
                ('fails', models.BooleanField(default=True, help_text="Ticked: a draft with it is sent back, a person's text is not approved. Not ticked: it only warns.", verbose_name='fails the draft')),
                ('severity', models.FloatField(default=0.6, help_text='From 0 (a trifle) to 1 (a wrong amount). Below 0.3 a failure of the model is accepted as a trifle.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('critique', models.CharField(help_text='What is wrong with it, in a sentence. The model and people read it.', max_length=300)),
                ('suggested_fix', models.CharField(blank=True, help_text='What to write instead, in a sentence. May be left empty.', max_length=300)),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
            ],
            options={
                'verbose_name': 'historical pattern rule',
                'verbose_name_plural': 'historical pattern rules',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='HistoricalValidatorRule',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('domain', models.CharField(choices=reviewhub.models.rules.domain_choices, help_text='Which kind of cases it is for.', max_length=30)),
                ('validator', models.CharField(choices=reviewhub.models.rules.validator_choices, help_text='Which validator it sets; one rule for each. Core validators hold figures, ids, payment details, status and completeness to the facts.', max_length=60)),
                ('enabled', models.BooleanField(default=True, help_text='Whether the validator runs. Core validators cannot be switched off.')),
                ('severity', models.FloatField(blank=True, help_text='From 0 (a trifle) to 1 (a wrong amount); empty = as each error type has it. Below 0.3 a failure is accepted as a trifle, unless the validator blocks.', null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('confidence', models.FloatField(blank=True, help_text='How sure the validator is, from 0 to 1; empty = as it ships. Below 0.6 its failures only warn. Validators that block stay at 0.6 or more.', null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('parameters', models.JSONField(blank=True, default=dict, help_text='A JSON object of the parameters that differ from the defaults, such as {"max_words": 120}.')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
            ],
            options={
                'verbose_name': 'historical validator rule',
                'verbose_name_plural': 'historical validator rules',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='PatternRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(choices=reviewhub.models.rules.domain_choices, help_text='Which kind of cases it is for.', max_length=30)),
                ('name', models.CharField(help_text='A short name in small letters, such as no-guarantees. Findings are shown under it.', max_length=40, validators=[django.core.validators.RegexValidator('\\A[a-z][a-z0-9_-]*\\Z', 'Use small letters, digits, - and _, beginning with a letter: no-guarantees.')])),
                ('enabled', models.BooleanField(default=True, help_text='Whether drafts are searched for it.')),
                ('pattern', models.CharField(help_text='A regular expression in RE2 syntax, such as (?i)\\bguarantee[ds]?\\b. (?i) ignores letter case; there are no look-arounds and no back-references. Prose is searched, never what code renders.', max_length=500)),
                ('fails', models.BooleanField(default=True, help_text="Ticked: a draft with it is sent back, a person's text is not approved. Not ticked: it only warns.", verbose_name='fails the draft')),
                ('severity', models.FloatField(default=0.6, help_text='From 0 (a trifle) to 1 (a wrong amount). Below 0.3 a failure of the model is accepted as a trifle.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('critique', models.CharField(help_text='What is wrong with it, in a sentence. The model and people read it.', max_length=300)),
                ('suggested_fix', models.CharField(blank=True, help_text='What to write instead, in a sentence. May be left empty.', max_length=300)),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
            ],
            options={
                'ordering': ['queue', 'domain', 'name'],
            },
        ),
        migrations.CreateModel(
            name='ValidatorRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(choices=reviewhub.models.rules.domain_choices, help_text='Which kind of cases it is for.', max_length=30)),
                ('validator', models.CharField(choices=reviewhub.models.rules.validator_choices, help_text='Which validator it sets; one rule for each. Core validators hold figures, ids, payment details, status and completeness to the facts.', max_length=60)),
                ('enabled', models.BooleanField(default=True, help_text='Whether the validator runs. Core validators cannot be switched off.')),
                ('severity', models.FloatField(blank=True, help_text='From 0 (a trifle) to 1 (a wrong amount); empty = as each error type has it. Below 0.3 a failure is accepted as a trifle, unless the validator blocks.', null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('confidence', models.FloatField(blank=True, help_text='How sure the validator is, from 0 to 1; empty = as it ships. Below 0.6 its failures only warn. Validators that block stay at 0.6 or more.', null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('parameters', models.JSONField(blank=True, default=dict, help_text='A JSON object of the parameters that differ from the defaults, such as {"max_words": 120}.')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
            ],
            options={
                'ordering': ['queue', 'domain', 'validator'],
            },
        ),
        migrations.CreateModel(
            name='VocabularyWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('word', models.CharField(help_text='One word that tells nothing about anybody, such as a product, as texts write it: a capital counts.', max_length=60, validators=[django.core.validators.RegexValidator("\\A[^\\W\\d_]+(?:['’.-][^\\W\\d_]+)*\\.?\\Z", 'Give one word, of letters only.')])),
                ('at', models.DateTimeField(help_text='When.')),
            ],
            options={
                'ordering': ['queue', 'word'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='review',
            name='review_declined_with_reason',
        ),
        migrations.AddField(
            model_name='attempt',
            name='rules',
            field=models.CharField(blank=True, help_text='The fingerprint of the validators that judged it.', max_length=16),
        ),
        migrations.AddField(
            model_name='auditevent',
            name='row_kind',
            field=models.CharField(blank=True, help_text='Which kind of row an administrator changed.', max_length=60),
        ),
        migrations.AddField(
            model_name='auditevent',
            name='row_ref',
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='membership',
            name='may_export',
            field=models.BooleanField(default=False, help_text="Whether they may export the queue's decisions; leads and administrators always may."),
        ),
        migrations.AlterField(
            model_name='auditevent',
            name='case_ref',
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='auditevent',
            name='draft_ref',
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='auditevent',
            name='queue_ref',
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='review',
            name='reason',
            field=models.CharField(blank=True, help_text='The code of a reason to decline.', max_length=20),
        ),
        migrations.AddIndex(
            model_name='auditevent',
            index=models.Index(fields=['row_kind', 'row_ref', 'id'], name='audit_of_row'),
        ),
        migrations.AddConstraint(
            model_name='auditevent',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('case_ref__isnull', False), ('draft_ref__isnull', False), ('queue_ref__isnull', False), ('row_kind', '')), models.Q(models.Q(('row_kind', ''), _negated=True), ('case_ref__isnull', True), ('draft_ref__isnull', True), ('row_ref__isnull', False)), _connector='OR'), name='audit_is_of_draft_or_row'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('verdict', 'declined'), models.Q(('reason', ''), _negated=True)), models.Q(models.Q(('verdict', 'declined'), _negated=True), ('reason', '')), _connector='OR'), name='review_declined_with_reason'),
        ),
        migrations.AddField(
            model_name='declinereason',
            name='queue',
            field=models.ForeignKey(blank=True, help_text="Whose people are offered it; empty = everybody's.", null=True, on_delete=django.db.models.deletion.CASCADE, related_name='decline_reasons', to='reviewhub.queue'),
        ),
        migrations.AddField(
            model_name='historicaldeclinereason',
            name='history_user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='historicaldeclinereason',
            name='queue',
            field=models.ForeignKey(blank=True, db_constraint=False, help_text="Whose people are offered it; empty = everybody's.", null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='reviewhub.queue'),
        ),
        migrations.AddField(
            model_name='historicalmembership',
            name='history_user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='historicalmembership',
            name='queue',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='reviewhub.queue'),
        ),
        migrations.AddField(
            model_name='historicalmembership',
            name='user',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='historicalpatternrule',
            name='history_user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='historicalpatternrule',
            name='queue',
            field=models.ForeignKey(blank=True, db_constraint=False, help_text='Whose drafts are searched.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='reviewhub.queue'),
        ),
        migrations.AddField(
            model_name='historicalvalidatorrule',
            name='history_user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='historicalvalidatorrule',
            name='queue',
            field=models.ForeignKey(blank=True, db_constraint=False, help_text='Whose drafts the rule is for.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='reviewhub.queue'),
        ),
        migrations.AddField(
            model_name='patternrule',
            name='queue',
            field=models.ForeignKey(help_text='Whose drafts are searched.', on_delete=django.db.models.deletion.CASCADE, related_name='pattern_rules', to='reviewhub.queue'),
        ),
        migrations.AddField(
            model_name='validatorrule',
            name='queue',
            field=models.ForeignKey(help_text='Whose drafts the rule is for.', on_delete=django.db.models.deletion.CASCADE, related_name='validator_rules', to='reviewhub.queue'),
        ),
        migrations.AddField(
            model_name='vocabularyword',
            name='confirmed_by',
            field=models.ForeignKey(help_text='Who said so.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='vocabularyword',
            name='queue',
            field=models.ForeignKey(help_text='Where the word is harmless.', on_delete=django.db.models.deletion.CASCADE, related_name='vocabulary', to='reviewhub.queue'),
        ),
        migrations.AddConstraint(
            model_name='declinereason',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('code', ''), _negated=True), models.Q(('label', ''), _negated=True)), name='decline_reason_is_whole'),
        ),
        migrations.AddConstraint(
            model_name='patternrule',
            constraint=models.UniqueConstraint(fields=('queue', 'domain', 'name'), name='one_pattern_per_name', violation_error_message='This queue and domain already have a pattern of that name. Choose another.'),
        ),
        migrations.AddConstraint(
            model_name='patternrule',
            constraint=models.CheckConstraint(condition=models.Q(('severity__gte', 0), ('severity__lte', 1)), name='pattern_severity_is_share'),
        ),
        migrations.AddConstraint(
            model_name='patternrule',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('pattern', ''), _negated=True), models.Q(('critique', ''), _negated=True), models.Q(('name', ''), _negated=True)), name='pattern_is_whole'),
        ),
        migrations.AddConstraint(
            model_name='validatorrule',
            constraint=models.UniqueConstraint(fields=('queue', 'domain', 'validator'), name='one_rule_per_validator', violation_error_message='This queue and domain already have a rule for the validator. Change that one.'),
        ),
        migrations.AddConstraint(
            model_name='validatorrule',
            constraint=models.CheckConstraint(condition=models.Q(('enabled', True), models.Q(('validator__in', ['completeness', 'contacts', 'figures', 'ids', 'placeholders', 'slots', 'status', 'text']), _negated=True), _connector='OR'), name='core_validator_is_on', violation_error_message='A core validator cannot be switched off.'),
        ),
        migrations.AddConstraint(
            model_name='validatorrule',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__isnull', True), ('confidence__gte', 0.6), models.Q(('validator__in', ['completeness', 'contacts', 'details', 'figures', 'ids', 'language', 'placeholders', 'policy', 'slots', 'status', 'text']), _negated=True), _connector='OR'), name='blocking_validator_is_sure', violation_error_message='A validator that blocks cannot be less than 0.6 sure.'),
        ),
        migrations.AddConstraint(
            model_name='validatorrule',
            constraint=models.CheckConstraint(condition=models.Q(('severity__isnull', True), models.Q(('severity__gte', 0), ('severity__lte', 1)), _connector='OR'), name='rule_severity_is_share'),
        ),
        migrations.AddConstraint(
            model_name='validatorrule',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__isnull', True), models.Q(('confidence__gte', 0), ('confidence__lte', 1)), _connector='OR'), name='rule_confidence_is_share'),
        ),
        migrations.AddConstraint(
            model_name='vocabularyword',
            constraint=models.UniqueConstraint(fields=('queue', 'word'), name='one_row_per_word', violation_error_message='The word is already confirmed in this queue.'),
        ),
        migrations.AddConstraint(
            model_name='vocabularyword',
            constraint=models.CheckConstraint(condition=models.Q(('word', ''), _negated=True), name='vocabulary_word_is_one'),
        ),
        migrations.RunPython(seed_reasons, migrations.RunPython.noop),
    ]
