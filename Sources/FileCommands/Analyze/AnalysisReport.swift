import AudioFiles
import AudioGraph
import CommandLineKit
import Engine
import JSON
import Metering
import OfflineProcessing
import SoundOptions

/// Results of an analysis, for programs and for people.
enum AnalysisReport {
  /// Returns a line for the terminal.
  static func line(_ result: Analysis, _ job: AnalyzeOptions.Job) -> String {
    let file = result.file
    let clipped = file.clippedSamples == 1 ? "1 clipped sample" : "\(file.clippedSamples) clipped samples"
    var line =
      "\(Log.oneLine(job.input.name)) (\(file.format), \(JSONWriter.digits(file.durationSeconds, 2)) s): "
      + "RMS \(JSONWriter.digits(file.total.rmsDBFS, 2)) dBFS, peak \(JSONWriter.digits(file.total.peakDBFS, 2)) dBFS, "
      + clipped
    if let pitch = result.pitch { line += ", \(PitchRows.summary(pitch))" }
    if let loudness = file.loudness { line += ", \(LoudnessRows.summary(loudness))" }
    return line
  }

  /// Writes the fields of one input into an object.
  static func write(
    _ json: inout JSONWriter, _ result: Analysis, _ job: AnalyzeOptions.Job, _ options: AnalyzeOptions
  ) {
    json.field("schema", 1)
    json.object("input") { json in
      json.field("path", job.input.name)
      json.field("sample_rate", result.file.format.sampleRate)
      json.field("channels", result.file.format.channelCount)
      json.field("frames", result.file.samplesPerChannel)
    }
    json.object("summary") { json in
      json.field("rms_dbfs", result.file.total.rmsDBFS, decimals: 2)
      json.field("peak_dbfs", result.file.total.peakDBFS, decimals: 2)
      json.field("clipped_samples", result.file.clippedSamples)
      json.field("speech_share", result.file.speechShare, decimals: 4)
      if let pitch = result.pitch { PitchRows.writeSummary(&json, pitch) }
      if let loudness = result.file.loudness { LoudnessRows.writeSummary(&json, loudness) }
    }
    json.field("interval_ms", options.interval)
    if options.kinds.contains(.volume) { VolumeRows.schema.write(&json, result.file.levels) }
    if let pitch = result.pitch { PitchRows.schema.write(&json, pitch.rows) }
    if let loudness = result.file.loudness { LoudnessRows.schema.write(&json, loudness.moments) }
    events(&json, result.file, path: job.input.name)
  }

  /// Writes the faults of the file in the form of `process --report`.
  private static func events(_ json: inout JSONWriter, _ file: FileAnalysisResult, path: String) {
    json.array("events") { json in
      // Warnings at one position stay in their order.
      for warning in file.warnings.enumerated().sorted(by: { ($0.1.position, $0.0) < ($1.1.position, $1.0) }).map(\.1) {
        let kind = PipelineEvent.Kind.warning(
          PipelineWarning(PipelineWarning.Code(warning.code), "\(path): \(warning.message)"))
        json.object { json in
          json.field("time_s", Double(warning.position) / Double(file.format.sampleRate), decimals: 3)
          json.field("name", kind.name)
          kind.writeFields(&json)
        }
      }
    }
  }
}
