import AudioGraph
import Engine

/// What an analysis has found, for programs and for people.
enum AnalysisReport {
  /// One input as an object.
  static func json(_ result: FileAnalysisResult, _ job: AnalyzeOptions.Job, _ options: AnalyzeOptions) -> String {
    var json = JSONWriter()
    json.object { write(&$0, result, job, options) }
    return json.text
  }

  /// Several inputs as an object; those that failed have an error in place of their results.
  static func json(
    _ outcomes: [(AnalyzeOptions.Job, Result<FileAnalysisResult, CommandFailure>)], _ options: AnalyzeOptions
  ) -> String {
    var json = JSONWriter()
    json.object { json in
      json.field("schema", 1)
      json.array("jobs") { json in
        for (job, outcome) in outcomes {
          json.object { json in
            switch outcome {
            case .success(let result): write(&json, result, job, options)
            case .failure(let failure):
              json.object("input") { $0.field("path", job.input.name) }
              json.object("error") { json in
                json.field("message", failure.sentence)
                json.field("exit_code", Int(failure.exitCode.rawValue))
              }
            }
          }
        }
      }
    }
    return json.text
  }

  /// A line for the terminal.
  static func line(_ result: FileAnalysisResult, _ job: AnalyzeOptions.Job) -> String {
    let seconds = Double(result.samplesPerChannel) / Double(result.format.sampleRate)
    let clipped = result.clippedSamples == 1 ? "1 clipped sample" : "\(result.clippedSamples) clipped samples"
    return "\(job.input.name) (\(result.format), \(VolumeRows.fixed(seconds, 2)) s): "
      + "RMS \(VolumeRows.fixed(result.total.rmsDBFS, 2)) dBFS, peak \(VolumeRows.fixed(result.total.peakDBFS, 2)) dBFS, "
      + clipped
  }

  private static func write(
    _ json: inout JSONWriter, _ result: FileAnalysisResult, _ job: AnalyzeOptions.Job, _ options: AnalyzeOptions
  ) {
    json.field("schema", 1)
    json.object("input") { json in
      json.field("path", job.input.name)
      json.field("sample_rate", result.format.sampleRate)
      json.field("channels", result.format.channelCount)
      json.field("frames", result.samplesPerChannel)
    }
    json.object("summary") { json in
      json.field("rms_dbfs", result.total.rmsDBFS, decimals: 2)
      json.field("peak_dbfs", result.total.peakDBFS, decimals: 2)
      json.field("clipped_samples", result.clippedSamples)
    }
    json.field("interval_ms", options.interval)
    if options.kinds.contains(.volume) { VolumeRows.write(&json, result.levels) }
  }
}
