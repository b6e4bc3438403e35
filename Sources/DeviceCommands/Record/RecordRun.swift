import AudioFiles
import AudioGraph
import CommandLineKit
import Devices
import Effects
import Engine
import FrameObservers
import JSON
import OfflineProcessing
import SoundOptions

/// One recording, from the opening of the device to the complete file.
///
/// Thread: one.
struct RecordRun {
  private let options: RecordOptions
  private let console: Console
  private let pipeline: AudioPipeline
  private let meter = PeakMeter()
  private let events: LiveEvents

  init(_ options: RecordOptions, _ console: Console) throws {
    self.options = options
    self.console = console
    pipeline = try AudioPipeline(sampleRate: options.sampleRate, channelCount: options.channelCount)
    events = LiveEvents(console, lines: options.live.showsEvents)
  }

  func run() throws {
    try options.program?.check()
    events.attach(to: pipeline)
    let source = try options.live.device.setSource(
      of: pipeline, channelCount: options.channelCount, options: options.live.deviceOptions)
    try pipeline.local.setVolume(options.volume)
    if options.isVoiceOnly { try pipeline.local.setVoiceOnly(true) }
    if let pitch = options.pitch {
      try pipeline.local.setPitch(pitch.ratio, mode: pitch.mode, keepsFormants: pitch.keepsFormants)
    }
    if let monitor = options.monitor {
      try pipeline.local.setEarMonitoring(.unchanged)
      _ = try monitor.addSink(
        to: pipeline, at: .playout, options: options.live.deviceOptions, overwrites: options.live.overwrites)
    }
    let program = try options.program.map { program in
      try pipeline.attach(program) { InterruptHandler.pending != nil }
    }
    if showsMeter { try meter.observe(pipeline, at: .record) }
    try pipeline.recorder.start(
      options.output, position: .record,
      options: RecordingOptions(
        // The conversion between the clocks leaves more than 16 bits.
        sampleFormat: options.sampleFormat, ditherSeed: 1, overwrite: options.live.overwrites))
    PauseSignal.install()
    try pipeline.start()
    try record(source)
    try pipeline.recorder.stop()
    let hasPriority = pipeline.hasRealTimePriority
    pipeline.stop()
    if !hasPriority { console.log.info(DeviceFigures.priorityNote) }
    try program?.finish()
    try report(source)
  }

  /// Waits for the end of the recording.
  private func record(_ source: any AudioSource) throws {
    let pauses = PauseClock(pipeline)
    let loop = LiveLoop(
      console: console, meter: meter, showsMeter: showsMeter, seconds: { pauses.seconds },
      state: { pauses.isPaused ? "paused" : "recording" }, onPause: pauses.toggle)
    let end = options.live.durationSeconds ?? .infinity
    // The last samples come out of the nodes' delays later.
    let latency = Double(try pipeline.latency()) / Double(options.sampleRate)
    loop.run {
      if PauseSignal.take() { pauses.toggle() }
      return pauses.seconds >= end + latency || events.failure != nil
        || source.endPosition.map { pipeline.tickCount * options.sampleRate / 100 > $0 } ?? false
    }
    pauses.resume()
    if end < .infinity {
      pipeline.recorder.limit(to: Int(((end + pauses.pausedSeconds) * Double(options.sampleRate)).rounded()))
    }
  }

  private var showsMeter: Bool { options.live.showsMeter(on: console) }

  private func report(_ source: any AudioSource) throws {
    if let failure = events.failure { throw failure }
    let figures = (source as? DeviceSource).map { DeviceFigures(report: $0.report) }
    if let warning = figures?.warning { console.log.warning(warning) }
    let length = try AudioFileReader.open(path: options.output)
    let seconds = Double(length.samplesPerChannel ?? 0) / Double(length.format.sampleRate)
    if options.live.showsReport {
      try console.output.writeDocument { json in
        json.field("schema", 1)
        json.object("output") { json in
          json.field("path", options.output)
          json.field("sample_rate", length.format.sampleRate)
          json.field("channels", length.format.channelCount)
          json.field("frames", length.samplesPerChannel ?? 0)
        }
        events.files.write(&json)
        figures?.write(&json)
      }
    } else {
      console.log.info("\(options.output): \(JSONWriter.digits(seconds, 1)) s recorded")
    }
  }
}
