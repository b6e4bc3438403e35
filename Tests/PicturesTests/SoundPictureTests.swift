import AudioGraph
import CommandTestSupport
import Engine
import Foundation
import FoundationXML
import OfflineProcessing
import TestSupport
import Testing

@testable import Pictures

@Suite("A picture of a sound", .timeLimit(.minutes(10)))
struct SoundPictureTests {
  private static let rate = 8_000
  private static let size = PictureSize(width: 800, height: 600)

  private func series(_ planes: [[Float]], voice: (Double) -> Bool = { _ in false }) -> SoundSeries {
    var series = SoundSeries(sampleRate: Self.rate, channelCount: planes.count)
    let frame = Self.rate / 100
    let memory = planes.map { plane in
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: plane.count)
      memory.initialize(from: plane, count: plane.count)
      return memory
    }
    defer { for plane in memory { plane.deallocate() } }
    for start in stride(from: 0, to: planes[0].count, by: frame) {
      series.append(
        memory.map { UnsafePointer($0 + start) }, count: min(frame, planes[0].count - start),
        isVoice: voice(Double(start) / Double(Self.rate)))
    }
    return series
  }

  private func pitch(_ hertz: [Float], start: Double = 0.005) -> PitchSeries {
    var series = PitchSeries()
    for (index, hertz) in hertz.enumerated() {
      series.append(
        PitchRow(seconds: start + 0.01 * Double(index), hertz: hertz, voicing: 0.5))
    }
    return series
  }

  private func picture(_ sound: SoundSeries?, _ pitch: PitchSeries = PitchSeries(), _ events: [Figure.Event] = [])
    -> SoundPicture
  { SoundPicture(title: "in.wav", subtitle: "8 kHz · mono", sound: sound, pitch: pitch, events: events) }

  private func elements(_ picture: SoundPicture, _ theme: Theme = .light) throws -> (Figure, SVGElements) {
    let figure = picture.figure(Self.size)
    return (figure, try SVGElements(figure.svg(theme)))
  }

  private static func sine(_ seconds: Double, amplitude: Double) -> [Float] {
    (0..<Int(seconds * Double(rate))).map { Float(amplitude * sin(2 * .pi * 100 * Double($0) / Double(rate))) }
  }

  @Test("A picture of a program names the events that it is given", .shows("analyze: pictures"))
  func namedEvents() {
    let picture = SoundPicture(
      title: "in.wav", sound: series([Self.sine(2, amplitude: 0.5)]),
      events: [
        PipelineEvent(.musicFinished, tickCount: 50), PipelineEvent(.localVoicePitch(hertz: 100), tickCount: 60),
      ])
    #expect(picture.events == [Figure.Event(seconds: 0.5, label: "music ends")])
    let svg = picture.svg(Self.size, theme: .dark)
    #expect(svg == picture.figure(Self.size).svg(.dark) && svg.contains("music ends"))
  }

  @Test("each px of the waveform spans the extremes of its samples", .shows("analyze: pictures"))
  func waveform() throws {
    var generator = SeededGenerator(seed: 3)
    let samples = (0..<3 * Self.rate).map { index -> Float in
      Float.random(in: -0.9...0.9, using: &generator) * Float(index % 4_000) / 4_000
    }
    let (figure, svg) = try elements(picture(series([samples])))
    let box = figure.panels[0].box
    let columnCount = Int(box.width)
    let area = try #require(svg.paths("wave").first?.lines.first)
    // There and back, with an end before the first middle and behind the last.
    try #require(area.count == 2 * (columnCount + 2))
    // A cell has 8 samples: 24 000 of them in 4096 cells at most.
    let cells = samples.count / 8
    for column in 0..<columnCount {
      let first = column * cells / columnCount * 8
      let end = (column + 1) * cells / columnCount * 8
      let low = try #require(samples[first..<end].min())
      let high = try #require(samples[first..<end].max())
      let (top, bottom) = (area[column + 1], area[area.count - 2 - column])
      let x: Double = box.x + box.width * Double(first + end) / 2 / Double(samples.count)
      let wantedTop: Double = box.centerY - Double(high) * box.height / 2
      let wantedBottom: Double = box.centerY - Double(low) * box.height / 2
      #expect(abs(top.x - x) <= 0.051 && top.x == bottom.x)
      #expect(abs(top.y - wantedTop) <= 0.051 && abs(bottom.y - wantedBottom) <= 0.051)
    }
  }

  @Test("a tone's pitch is drawn at its frequency from first to last row", .shows("analyze: pictures"))
  func pitchLine() throws {
    let rows = (0..<200).map { row -> Float in (50..<150).contains(row) ? 220 : 0 }
    let (figure, svg) = try elements(picture(series([Self.sine(2, amplitude: 0.5)]), pitch(rows)))
    let box = figure.panels[2].box
    let lines = svg.paths("pitch").flatMap(\.lines).filter { $0.allSatisfy { $0.y >= box.y } }
    try #require(lines.count == 1)
    // From 60 to 500 Hz where nothing lies beyond, but for room of a twentieth.
    let y = box.bottom - box.height * log(220 / 60.0) / log(500 / 60.0)
    #expect(lines[0].allSatisfy { abs($0.y - y) <= 0.051 })
    let seconds = { (x: Double) in (x - box.x) / box.width * 2 }
    let (first, last) = (seconds(lines[0].first!.x), seconds(lines[0].last!.x))
    #expect(abs(first - 0.505) < 0.001 && abs(last - 1.495) < 0.001)
  }

  @Test("No line crosses a row without a voice, and a row alone is a dot", .shows("analyze: pictures"))
  func gaps() throws {
    var rows = [Float](repeating: 150, count: 200)
    for gap in [20, 60, 61, 100, 102] { rows[gap] = 0 }
    let (figure, svg) = try elements(picture(series([Self.sine(2, amplitude: 0.5)]), pitch(rows)))
    let box = figure.panels[2].box
    let lines = svg.paths("pitch").flatMap(\.lines).filter { $0.allSatisfy { $0.y >= box.y } }
    let spans = lines.map { line in
      line.map { point -> Int in Int(((point.x - box.x) / box.width * 200 - 0.5).rounded()) }
    }
    #expect(spans.map { [$0.first!, $0.last!] } == [[0, 19], [21, 59], [62, 99], [101, 101], [103, 199]])
    #expect(lines[3].count > 1)
  }

  @Test("a px with many pitch rows has the mean and spread of voiced rows")
  func longPitch() throws {
    // 20 minutes: an octave around 200 Hz, alternating; silence in the middle third.
    let rows = (0..<120_000).map { row -> Float in
      (40_000..<80_000).contains(row) ? 0 : 200 * Float(pow(2, row % 2 == 0 ? 0.5 : -0.5))
    }
    var sound = SoundSeries(sampleRate: Self.rate, channelCount: 1)
    let silence = [Float](repeating: 0, count: Self.rate)
    silence.withUnsafeBufferPointer {
      for _ in 0..<1_200 { sound.append([$0.baseAddress!], count: Self.rate, isVoice: false) }
    }
    let (figure, svg) = try elements(picture(sound, pitch(rows)))
    let box = figure.panels[2].box
    let lines = svg.paths("pitch").flatMap(\.lines).filter { $0.allSatisfy { $0.y >= box.y } }
    func y(_ hertz: Double) -> Double { box.bottom - box.height * log(hertz / 60) / log(500 / 60.0) }
    #expect(lines.count > 50 && lines.allSatisfy { $0.count == 2 && abs($0[0].y - y(200)) <= 0.051 })
    let middle = box.x + box.width * 0.35...box.x + box.width * 0.65
    #expect(!lines.contains { middle.contains($0[0].x) || middle.contains($0[1].x) })
    let spreads = try #require(svg.paths("spread").first).lines
    #expect(spreads.count == lines.count)
    let (highest, lowest) = (y(200 * 2.0.squareRoot()), y(200 / 2.0.squareRoot()))
    for spread in spreads {
      let ys = spread.map(\.y)
      #expect(abs(ys.min()! - highest) <= 0.11 && abs(ys.max()! - lowest) <= 0.11)
    }
  }

  @Test("levels are drawn at their dBFS, and voice is shaded", .shows("analyze: pictures"))
  func levels() throws {
    let square = (0..<2 * Self.rate).map { index -> Float in
      let amplitude: Float = index < Self.rate ? 0.5 : 0.05
      return index % 80 < 40 ? amplitude : -amplitude
    }
    let (figure, svg) = try elements(picture(series([square], voice: { (0.5..<1.25).contains($0) })))
    let box = figure.panels[1].box
    for style in ["peak", "rms"] {
      let line = try #require(svg.paths(style).first?.lines.first)
      for point in line where abs(point.x - (box.x + box.width / 2)) > 4 {
        let decibels: Double = 20 * log10(point.x < box.x + box.width / 2 ? 0.5 : 0.05)
        let y: Double = box.y - decibels / 60 * box.height
        #expect(abs(point.y - y) <= 0.06, "\(style)")
      }
    }
    let voice = svg.paths("voice").flatMap(\.lines).filter { $0[0].y == box.y }
    let xs = voice.map { ($0.map(\.x).min()!, $0.map(\.x).max()!) }
    try #require(xs.count == 1)
    let (left, right) = (box.x + box.width * 0.25, box.x + box.width * 0.625)
    #expect(abs(xs[0].0 - left) < 0.1 && abs(xs[0].1 - right) < 0.1)
  }

  @Test("each event has a tick in every panel and its name", .shows("process: picture"))
  func events() throws {
    let events = [
      Figure.Event(seconds: 0.5, label: "effect 7 ends"), Figure.Event(seconds: 1.75, label: "music & <more>"),
    ]
    let (figure, svg) = try elements(picture(series([Self.sine(2, amplitude: 0.5)]), PitchSeries(), events))
    let boxes = figure.panels.map(\.box)
    let lines = try #require(svg.paths("event").first).lines
    try #require(lines.count == events.count * boxes.count)
    for (index, line) in lines.enumerated() {
      let (event, box) = (events[index / boxes.count], boxes[index % boxes.count])
      let x = box.x + box.width * event.seconds / 2
      #expect(abs(line[0].x - x) <= 0.051 && line[1].x == line[0].x)
      #expect(abs(line[0].y - box.y) <= 0.051 && abs(line[1].y - box.bottom) <= 0.051)
      #expect(svg.texts.contains(event.label))
    }
    #expect(!(try elements(picture(series([Self.sine(2, amplitude: 0.5)]))).1.texts.contains("events")))
  }

  @Test("Every channel has a panel, of the same scale, with its name", arguments: [1, 2, 3, 8])
  func channels(count: Int) throws {
    let planes = (0..<count).map { Self.sine(1, amplitude: 0.3 / Double($0 + 1)) }
    let (figure, svg) = try elements(picture(series(planes)))
    #expect(figure.panels.count == count + 2 && figure.panels[..<count].allSatisfy { $0.scale.domain == -0.5...0.5 })
    let names = count == 1 ? ["0"] : count == 2 ? ["left", "right"] : (1...count).map { "ch \($0)" }
    #expect(names.allSatisfy(svg.texts.contains))
    // Nothing lies outside the picture or over something else.
    for (one, next) in zip(figure.panels, figure.panels.dropFirst()) { #expect(one.box.bottom < next.box.y) }
    #expect(figure.panels.last!.box.bottom < 600)
  }

  @Test("Samples at full scale are marked, and larger ones widen the axis")
  func clipped() throws {
    let quiet = try elements(picture(series([Self.sine(1, amplitude: 0.9)]))).1
    #expect(!quiet.texts.contains("clipped") && quiet.paths("clipped").isEmpty)
    let (figure, loud) = try elements(picture(series([Self.sine(1, amplitude: 1.5)])))
    #expect(loud.texts.contains("clipped") && figure.panels[0].scale.domain == -2...2)
    #expect(!loud.paths("clipped").isEmpty && !loud.paths("limit").isEmpty)
  }

  @Test("a sound of no samples, one sample, silence or NaN has a picture")
  func little() throws {
    let empty = try elements(picture(nil)).1
    #expect(empty.texts.filter { $0 == "no sound" }.count == 2 && empty.texts.contains("no voice"))
    for samples in [[0.5], [0, 0], [Float](repeating: 0, count: 9_000), [.nan, .infinity, 0.25]] as [[Float]] {
      let (_, svg) = try elements(picture(series([samples])))
      #expect(!svg.all.contains { $0.attributes.values.contains { $0.contains("nan") || $0.contains("inf") } })
    }
  }

  @Test(
    "One file has the colours of both themes, or those of one", .shows("pictures: kinds"), arguments: Theme.allCases)
  func themes(theme: Theme) throws {
    let (figure, svg) = try elements(picture(series([Self.sine(1, amplitude: 0.5)])), theme)
    let css = try #require(svg.named("style").first).text
    let isDarkAtFirst = css.prefix { $0 != "@" }.contains("#14181d")
    #expect(css.contains("prefers-color-scheme: dark") == (theme == .auto) && isDarkAtFirst == (theme == .dark))
    // Every class that is used has a colour.
    let used = Set(svg.all.flatMap { ($0.attributes["class"] ?? "").split(separator: " ") })
    for style in used { #expect(css.contains(".\(style) ") || css.contains(".\(style),"), "\(style)") }
    #expect(svg.named("svg").first?.attributes["width"] == "\(figure.width)")
  }

  @Test("the subtitle has rate, channels and length in plain words")
  func subtitle() throws {
    func subtitle(_ rate: Int, _ channels: Int, _ seconds: Double, _ isWhole: Bool = true) throws -> String {
      let format = try AudioFormat(sampleRate: rate, channelCount: channels)
      return SoundPicture.subtitle("", format, seconds: seconds, isWhole: isWhole)
    }
    #expect(try subtitle(48_000, 1, 10.036) == "48 kHz · mono · 10.04 s")
    #expect(try subtitle(22_050, 2, 60) == "22.05 kHz · stereo · 1 min")
    #expect(try subtitle(44_100, 6, 3_723.4) == "44.1 kHz · 6 channels · 1 h 2 min 3 s")
    #expect(try subtitle(8_000, 1, 0.004, false) == "8 kHz · mono · 0.004 s · stopped before its end")
  }
}
