import AudioGraph
import Effects
import Engine
import FrameObservers
import JSON
import Metering
import OfflineProcessing
import SoundOptions

/// Report of a finished job, for programs and for people.
enum ProcessReport {
  /// Writes the fields of a report into an object.
  static func write(_ json: inout JSONWriter, _ outcome: JobResult, _ job: FileJob) {
    let result = outcome.processing
    json.field("schema", 1)
    file(&json, "input", job.name, result.inputFormat, result.inputSamplesPerChannel)
    if let path = job.outputPath {
      file(&json, "output", path, result.outputFormat, result.outputSamplesPerChannel)
    }
    positions(&json, result.positions)
    json.field("latency_ms", result.latencyMilliseconds, decimals: 3)
    json.object("ledger") { json in
      json.field("user", Int(result.ledgerUID))
      json.field("rate", result.ledgerSampleRate)
      json.fields(of: result.ledger)
    }
    edges(&json, result.edges)
    cost(&json, result)
    json.field("clipped_samples", result.clippedSamples)
    limiters(&json, result.limiters)
    if let target = result.loudnessTarget { json.object("loudness_target") { target.write(&$0) } }
    if let loudness = result.loudness { json.object("summary") { LoudnessRows.writeSummary(&$0, loudness) } }
    VolumeRows.schema.write(&json, result.levels)
    PitchRows.schema.write(&json, outcome.pitch)
    if let loudness = result.loudness { LoudnessRows.schema.write(&json, loudness.moments) }
    json.array("events") { json in
      for event in result.events {
        json.object { json in
          json.field("time_s", event.time / .seconds(1), decimals: 3)
          json.field("name", event.kind.name)
          event.kind.writeFields(&json)
        }
      }
    }
  }

  /// Returns a sentence or two for the terminal.
  static func summary(_ result: ProcessingResult, _ job: FileJob) -> String {
    let seconds = Double(result.inputSamplesPerChannel) / Double(result.inputFormat.sampleRate)
    let target = job.outputPath == nil ? "" : " -> \(job.outputText) (\(result.outputFormat))"
    let tick = Double(result.tickCost.nanoseconds(atQuantile: 0.5)) / 1_000
    return "\(job.name) (\(result.inputFormat), \(JSONWriter.digits(seconds, 2)) s)\(target); latency "
      + "\(JSONWriter.digits(result.latencyMilliseconds, 1)) ms (removed), \(JSONWriter.digits(tick, 1)) us per 10 ms"
      + result.limiters.map { limiter in
        let most = -limiter.smallestGain.value
        return "; \(name(of: limiter.source)) limited by "
          + (most < 0.05 ? "less than 0.1" : "up to \(JSONWriter.digits(most, 1))")
          + " dB for \(JSONWriter.digits(limitedSeconds(of: limiter), 2)) s"
      }.joined() + (result.loudnessTarget.map { "; \($0.summary)" } ?? "")
  }

  private static func limiters(_ json: inout JSONWriter, _ uses: [LimiterUse]) {
    json.array("limiters") { json in
      for use in uses {
        json.object { json in
          json.field("position", use.source.position.name)
          if use.source.position == .record { json.field("user", Int(use.source.uid)) }
          json.field("limited_s", limitedSeconds(of: use), decimals: 2)
          json.field("smallest_gain_db", use.smallestGain.value, decimals: 2)
        }
      }
    }
  }

  private static func limitedSeconds(of use: LimiterUse) -> Double { Double(use.frameCount) / 100 }

  private static func name(of source: FrameOrigin) -> String {
    source.position == .record ? "record \(source.uid)" : source.position.name
  }

  private static func file(
    _ json: inout JSONWriter, _ name: String, _ path: String, _ format: AudioFormat, _ count: Int
  ) {
    json.object(name) { json in
      json.field("path", path)
      json.field("sample_rate", format.sampleRate)
      json.field("channels", format.channelCount)
      json.field("frames", count)
    }
  }

  private static func positions(_ json: inout JSONWriter, _ counts: [PositionCount]) {
    json.object("positions") { json in
      for (name, position) in [("record", ObserverPosition.record), ("beforeMixing", .beforeMixing)] {
        json.object(name) { json in
          for count in counts where count.source.position == position {
            json.object("\(count.source.uid)") { json in fields(&json, count) }
          }
        }
      }
      for (name, position) in [("playback", ObserverPosition.playback), ("mixed", .mixed)] {
        // Without a single sample, nothing was called, either.
        json.object(name) { json in fields(&json, counts.first { $0.source.position == position }) }
      }
    }
  }

  private static func fields(_ json: inout JSONWriter, _ count: PositionCount?) {
    json.field("calls", count?.calls ?? 0)
    json.field("samples_per_channel", count?.samplesPerChannel ?? 0)
  }

  /// Writes the figures that differ from run to run.
  private static func cost(_ json: inout JSONWriter, _ result: ProcessingResult) {
    json.object("cost") { json in
      quantiles(&json, "tick_us", of: result.tickCost)
      json.array("observers") { json in
        for registration in result.registrations {
          for position in ObserverPosition.each {
            guard let durations = registration.durations(at: position), durations.count > 0 else { continue }
            json.object { json in
              json.field("id", registration.id)
              json.field("position", position.name)
              json.field("overruns", registration.overrunCount(at: position))
              quantiles(&json, "call_us", of: durations)
            }
          }
        }
      }
    }
  }

  private static func quantiles(_ json: inout JSONWriter, _ name: String, of meter: DurationHistogram) {
    json.object(name) { json in
      for (name, quantile) in [("p50", 0.5), ("p99", 0.99), ("max", 1)] {
        json.field(name, Double(meter.nanoseconds(atQuantile: quantile)) / 1_000, decimals: 3)
      }
    }
  }

  private static func edges(_ json: inout JSONWriter, _ edges: [LedgerEdge]) {
    json.array("edges") { json in
      for edge in edges {
        json.object { json in
          json.field("name", edge.name)
          json.field("in_rate", edge.inputRate)
          json.field("out_rate", edge.outputRate)
          json.fields(of: edge.ledger)
          causes(&json, "inserted_by", edge.ledger.inserted)
          causes(&json, "removed_by", edge.ledger.removed)
        }
      }
    }
  }

  private static func causes(_ json: inout JSONWriter, _ name: String, _ counts: [Ledger.Cause: Int]) {
    json.object(name) { json in
      for cause in Ledger.Cause.allCases {
        if let count = counts[cause], count > 0 { json.field("\(cause)", count) }
      }
    }
  }
}
