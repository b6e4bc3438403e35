import AudioFiles
import AudioGraph
import CommandLineKit
import Devices
import Engine
import FrameObservers
import JSON
import Playback
import SoundOptions

/// One play of a file or of stdin, from the opening of the device to the last sample.
///
/// Thread: one.
struct PlayRun {
  private let options: PlayOptions
  private let console: Console
  private let pipeline: AudioPipeline
  /// Sound of stdin; nil if a file is played.
  private let stream: FileSource?
  private let meter = PeakMeter()
  private let events: LiveEvents

  /// Opens the file, so that its faults are known before the device is opened.
  init(_ options: PlayOptions, _ console: Console) throws {
    self.options = options
    self.console = console
    let reader = try options.input.reader(raw: options.raw)
    pipeline = try AudioPipeline(channelCount: 2)
    // The path to the device is faded in within its first frame.
    stream =
      options.input == .standardInput
      ? try FileSource(
        reader, sampleRate: pipeline.options.sampleRate, uid: 1, startPosition: pipeline.options.sampleRate / 50,
        ready: pipeline.bell) : nil
    events = LiveEvents(console, lines: options.live.showsEvents)
  }

  func run() throws {
    events.attach(to: pipeline)
    let sink = try options.live.device.addSink(
      to: pipeline, at: .playout, options: options.live.deviceOptions, overwrites: options.live.overwrites)
    if showsMeter { try meter.observe(pipeline, at: .mixed) }
    try pipeline.start()
    defer { pipeline.stop() }
    waitForMovement(of: sink)
    // Nothing but silence was played before.
    let before = (sink as? DeviceSink)?.report
    if let stream {
      try pipeline.addRemoteUser(1, from: stream)
      try pipeline.users[1].setVolume(options.volume)
    } else {
      try pipeline.music.start(
        options.input.name, loopback: true, repetition: options.repetition, from: .seconds(options.startSeconds))
      try pipeline.music.setVolume(options.volume)
    }
    play()
    if !pipeline.hasRealTimePriority { console.log.info(DeviceFigures.priorityNote) }
    // Its sink plays what waits in the device.
    pipeline.stop()
    // The close itself would be the fault of a stream that is ended early.
    let fault = stream?.isExhausted == true ? stream?.error : nil
    stream?.close()
    for warning in stream?.warnings ?? [] { console.log.warning("\(options.input.name): \(warning.message)") }
    if let failure = events.failure { throw failure }
    if let fault, InterruptHandler.pending == nil { throw fault }
    let figures = (sink as? DeviceSink).map { sink in
      var report = sink.report
      report.droppedSampleCount -= before?.droppedSampleCount ?? 0
      report.insertedSampleCount -= before?.insertedSampleCount ?? 0
      report.underrunCount -= before?.underrunCount ?? 0
      report.xrunCount -= before?.xrunCount ?? 0
      return DeviceFigures(report: report)
    }
    if let warning = figures?.warning { console.log.warning(warning) }
    guard options.live.showsReport else { return }
    try console.output.writeDocument { json in
      json.field("schema", 1)
      json.object("input") { $0.field("path", options.input.name) }
      json.field("played_s", Double(pipeline.tickCount) / 100, decimals: 2)
      figures?.write(&json)
    }
  }

  /// Waits until the device plays: some sound servers stall for a second at first, and lose the sound of that time.
  private func waitForMovement(of sink: any AudioSink) {
    guard let sink = sink as? DeviceSink else { return }
    let clock = SystemClock()
    let limit = clock.nowNanoseconds + 3_000_000_000
    while sink.report.movedSampleCount < sink.report.sampleRate / 10, clock.nowNanoseconds < limit,
      InterruptHandler.pending == nil
    {
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 10_000_000)
    }
  }

  private var showsMeter: Bool { options.live.showsMeter(on: console) }

  private func play() {
    let begin = pipeline.tickCount
    var isPaused = false
    var last = Int.max
    let loop = LiveLoop(
      console: console, meter: meter, showsMeter: showsMeter,
      seconds: {
        stream == nil
          ? ((try? pipeline.music.position()) ?? .zero) / .seconds(1) : Double(pipeline.tickCount - begin) / 100
      },
      state: { isPaused ? "paused" : "playing" },
      onPause: {
        isPaused.toggle()
        if isPaused { try? pipeline.music.pause() } else { try? pipeline.music.resume() }
      })
    let end = options.live.durationSeconds.map { begin + Int($0 * 100) } ?? .max
    loop.run {
      // Behind the last frame of stdin, the graph's delay passes.
      if stream?.isExhausted == true { last = min(last, pipeline.tickCount + 3) }
      return events.hasMusicEnded || events.failure != nil || pipeline.tickCount >= min(end, last)
    }
  }
}
