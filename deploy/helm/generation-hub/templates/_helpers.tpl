{{- define "hub.name" -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "hub.selector" -}}
app.kubernetes.io/name: generation-hub
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "hub.labels" -}}
{{ include "hub.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "hub.host" -}}
{{- .Values.ingress.host | default (urlParse .Values.env.BASE_URL).hostname -}}
{{- end -}}
