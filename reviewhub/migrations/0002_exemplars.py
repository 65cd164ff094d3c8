import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reviewhub', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Exemplar',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(max_length=30)),
                ('situation', models.CharField(blank=True, max_length=60)),
                ('state', models.CharField(choices=[('waiting', 'Waiting to be sanitised'), ('ready', 'Ready to be indexed'), ('indexed', 'In the index'), ('quarantined', 'In quarantine'), ('forgotten', 'Forgotten')], default='waiting', max_length=12)),
                ('state_since', models.DateTimeField()),
                ('prose', models.JSONField(blank=True, default=dict)),
                ('doubts', models.JSONField(blank=True, default=list)),
                ('reason', models.CharField(blank=True, choices=[('doubts', 'some of its words may tell who it is about'), ('too_long', 'it is too long to be sanitised'), ('not_sanitised', 'sanitising it failed three times'), ('empty', 'it has no prose to learn from')], max_length=20)),
                ('vector', models.BinaryField(blank=True, max_length=1536, null=True)),
                ('embedder', models.CharField(blank=True, help_text='Which model the vector is of.', max_length=80)),
                ('approved_at', models.DateTimeField()),
                ('indexed_at', models.DateTimeField(blank=True, help_text='Since when the vector store may hold it; empty when it surely does not.', null=True)),
                ('used', models.PositiveIntegerField(default=0)),
                ('bad', models.PositiveIntegerField(default=0)),
                ('takes', models.PositiveSmallIntegerField(default=0)),
                ('not_before', models.DateTimeField(blank=True, null=True)),
                ('rung_at', models.DateTimeField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, help_text='The kind of the last failure, never its text.', max_length=80)),
                ('lease_token', models.UUIDField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='ExemplarUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rank', models.PositiveSmallIntegerField()),
                ('similarity', models.FloatField()),
                ('reasons', models.JSONField(default=list)),
                ('marked_bad_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['rank'],
            },
        ),
        migrations.CreateModel(
            name='Recall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('way', models.CharField(choices=[('store', 'by the vector store'), ('exact', 'by exact search, because the vector store did not answer'), ('nothing', 'not at all, because no edit of this queue can be learned from yet'), ('starters', 'not at all, because the embedding model cannot be used: starters stood in')], max_length=10)),
                ('skipped', models.JSONField(default=list, help_text='Sentences on what was near and could not be shown.')),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='decision',
            name='taught',
            field=models.BooleanField(default=False, help_text='Whether an exemplar was made of it.'),
        ),
        migrations.AddIndex(
            model_name='decision',
            index=models.Index(condition=models.Q(('taught', False), ('undone_at__isnull', True), ('verdict', 'approved_with_edits')), fields=['effects_at'], name='decision_to_learn_from'),
        ),
        migrations.AddField(
            model_name='exemplar',
            name='case',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exemplars', to='reviewhub.case'),
        ),
        migrations.AddField(
            model_name='exemplar',
            name='decision',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='exemplar', to='reviewhub.decision'),
        ),
        migrations.AddField(
            model_name='exemplar',
            name='queue',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exemplars', to='reviewhub.queue'),
        ),
        migrations.AddField(
            model_name='exemplaruse',
            name='draft',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exemplar_uses', to='reviewhub.draft'),
        ),
        migrations.AddField(
            model_name='exemplaruse',
            name='exemplar',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='uses', to='reviewhub.exemplar'),
        ),
        migrations.AddField(
            model_name='exemplaruse',
            name='marked_bad_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='recall',
            name='draft',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='recall', to='reviewhub.draft'),
        ),
        migrations.AddIndex(
            model_name='exemplar',
            index=models.Index(fields=['queue', 'domain', 'state'], name='exemplar_of_queue'),
        ),
        migrations.AddIndex(
            model_name='exemplar',
            index=models.Index(fields=['state', 'id'], name='exemplar_by_state'),
        ),
        migrations.AddIndex(
            model_name='exemplar',
            index=models.Index(condition=models.Q(('indexed_at__isnull', False), ('state__in', ['quarantined', 'forgotten'])), fields=['id'], name='exemplar_stale_in_store'),
        ),
        migrations.AddConstraint(
            model_name='exemplar',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'ready', 'indexed', 'quarantined', 'forgotten'])), name='exemplar_state_known'),
        ),
        migrations.AddConstraint(
            model_name='exemplar',
            constraint=models.CheckConstraint(condition=models.Q(('takes__gte', 0), ('takes__lte', 3)), name='exemplar_takes_bounded'),
        ),
        migrations.AddConstraint(
            model_name='exemplar',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['ready', 'indexed']), ('vector__isnull', False), models.Q(('situation', ''), _negated=True), models.Q(('embedder', ''), _negated=True), models.Q(('prose', {}), _negated=True), ('doubts', [])), models.Q(('embedder', ''), ('state__in', ['waiting', 'quarantined', 'forgotten']), ('vector__isnull', True)), _connector='OR'), name='exemplar_with_vector_is_clean'),
        ),
        migrations.AddConstraint(
            model_name='exemplar',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'indexed'), _negated=True), ('indexed_at__isnull', False), _connector='OR'), name='exemplar_indexed_since'),
        ),
        migrations.AddConstraint(
            model_name='exemplar',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reason__in', ['doubts', 'too_long', 'not_sanitised', 'empty']), ('state', 'quarantined')), models.Q(models.Q(('state', 'quarantined'), _negated=True), ('doubts', []), ('reason', '')), _connector='OR'), name='exemplar_quarantined_with_reason'),
        ),
        migrations.AddConstraint(
            model_name='exemplar',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'forgotten'), _negated=True), models.Q(('doubts', []), ('prose', {})), _connector='OR'), name='exemplar_forgotten_is_blank'),
        ),
        migrations.AddConstraint(
            model_name='exemplar',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_token__isnull', True), ('lease_until__isnull', True)), models.Q(('lease_token__isnull', False), ('lease_until__isnull', False)), _connector='OR'), name='exemplar_lease_is_whole'),
        ),
        migrations.AddConstraint(
            model_name='exemplaruse',
            constraint=models.UniqueConstraint(fields=('draft', 'exemplar'), name='one_use_per_draft_and_exemplar'),
        ),
        migrations.AddConstraint(
            model_name='exemplaruse',
            constraint=models.UniqueConstraint(fields=('draft', 'rank'), name='one_use_per_rank'),
        ),
        migrations.AddConstraint(
            model_name='exemplaruse',
            constraint=models.CheckConstraint(condition=models.Q(('rank__gte', 1)), name='use_rank_from_one'),
        ),
        migrations.AddConstraint(
            model_name='exemplaruse',
            constraint=models.CheckConstraint(condition=models.Q(('similarity__gte', -1.001), ('similarity__lte', 1.001)), name='use_similarity'),
        ),
        migrations.AddConstraint(
            model_name='exemplaruse',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('marked_bad_at__isnull', True), ('marked_bad_by__isnull', True)), models.Q(('marked_bad_at__isnull', False), ('marked_bad_by__isnull', False)), _connector='OR'), name='use_marked_bad_by_someone'),
        ),
        migrations.AddConstraint(
            model_name='recall',
            constraint=models.CheckConstraint(condition=models.Q(('way__in', ['store', 'exact', 'nothing', 'starters'])), name='recall_way_known'),
        ),
    ]
