import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RemovalTests {
  private func silentRig(isOffline: Bool = false) throws -> ObserverRig {
    try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0, count: 8_000)], isOffline: isOffline)
  }

  @Test("a removal on another thread waits for the call in progress", .shows("F16"))
  func fromAnotherThread() throws {
    for round in 0..<20 {
      let rig = try silentRig()
      let (calls, inside, mayEnd) = (Tally(), Tally(), Tally())
      let registration = try rig.add(
        .readOnly(at: .record) { _, _ in
          inside.set(1)
          if calls.add() == 3 { _ = eventually { mayEnd.count == 1 } }
          inside.set(0)
        })
      let stop = Tally()
      let runner = rig.runner
      let thread = try BackgroundThread(named: "ticks") {
        while stop.count == 0 { runner.tick(timeNanoseconds: 0) }
      }
      #expect(eventually { calls.count == 3 })
      let removed = Tally()
      let remover = try BackgroundThread(named: "remover") {
        registration.remove()
        // Nobody is inside when it returns.
        removed.set(inside.count == 0 ? 1 : 2)
      }
      #expect(eventually { registration.isRemoved })
      #expect(removed.count == 0, "remove returned while the call was in progress")
      mayEnd.set(1)
      remover.join()
      #expect(removed.count == 1)
      let after = calls.count
      let ticks = runner.tickCount
      #expect(eventually { runner.tickCount > ticks + 20 })
      #expect(calls.count == after && after == 3, "round \(round)")
      stop.set(1)
      thread.join()
    }
  }

  @Test("within its own call an observer is removed at once, for every access", .shows("F16"), arguments: [0, 1, 2, 3])
  func fromWithin(kind: Int) throws {
    let rig = try silentRig()
    let (calls, box, isRemovedInside) = (Tally(), Box<ObserverRegistration>(), Tally())
    let handler: @Sendable () -> Void = {
      guard calls.add() == 2 else { return }
      box.value?.remove()
      isRemovedInside.set(box.value?.isRemoved == true ? 1 : 0)
    }
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, access: .readWrite, samplesPerCall: 160)
    let registration =
      switch kind {
      case 0: try rig.hub.add(.readOnly(at: .record) { _, _ in handler() })
      case 1: try rig.hub.add(.readWrite(at: .record) { _, _ in handler() })
      case 2: try rig.hub.add(.readWrite(at: .record, params: [.record: params]) { _, _ in handler() })
      default: try rig.hub.add(.readOnly(at: .record, isAsynchronous: true) { _, _ in handler() })
      }
    box.value = registration
    try rig.install()
    rig.tick(10)
    #expect(eventually { calls.count >= 2 })
    rig.tick(10)
    #expect(eventually { isRemovedInside.count == 1 })
    #expect(try rig.hub.sweep())
    #expect(calls.count == 2)
    try rig.install()
    rig.tick(10)
    #expect(calls.count == 2)
    #expect(try !rig.hub.sweep())
  }

  @Test("`onRemove` is called once for removals on many threads")
  func onRemoveOnce() throws {
    let rig = try silentRig()
    let count = Tally()
    let registration = try rig.hub.add(FrameLog().request(isAsynchronous: true), onRemove: { count.add() })
    let threads = try (0..<8).map { _ in try BackgroundThread(named: "remover") { registration.remove() } }
    for thread in threads { thread.join() }
    registration.remove()
    #expect(count.count == 1)
  }

  @Test("two asynchronous observers remove each other without a deadlock")
  func mutual() throws {
    let rig = try silentRig()
    let inside = Tally()
    let boxes = [Box<ObserverRegistration>(), Box<ObserverRegistration>()]
    let done = Tally()
    for index in 0..<2 {
      boxes[index].value = try rig.hub.add(
        .readOnly(at: .record, isAsynchronous: true) { _, _ in
          inside.add()
          _ = eventually { inside.count == 2 }
          boxes[1 - index].value?.remove()
          done.add()
        })
    }
    try rig.install()
    rig.tick(1)
    #expect(eventually { done.count == 2 })
    #expect(boxes.allSatisfy { $0.value?.isRemoved == true })
    try rig.hub.sweep()
  }

  @Test("an observer removes itself without a deadlock while the hub finishes")
  func removedWhileFinishing() throws {
    let rig = try silentRig()
    let (box, inside, done) = (Box<ObserverRegistration>(), Tally(), Tally())
    box.value = try rig.hub.add(
      .readOnly(at: .record, isAsynchronous: true) { _, _ in
        inside.set(1)
        // By now the hub waits for this thread.
        spin(milliseconds: 20)
        box.value?.remove()
        done.set(1)
      })
    try rig.install()
    rig.tick(1)
    #expect(eventually { inside.count == 1 })
    rig.hub.finish()
    #expect(done.count == 1)
  }

  @Test("no observer is called after its removal on any of many threads", .shows("F16"))
  func many() throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [noise(80_000, seed: 2)])
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
    let writing = try AudioParams(sampleRate: 16_000, channelCount: 1, access: .readWrite, samplesPerCall: 160)
    let (stop, late, calls) = (Tally(), Tally(), Tally())
    try rig.install()
    let runner = rig.runner
    let ticks = try BackgroundThread(named: "ticks") {
      while stop.count == 0 { runner.tick(timeNanoseconds: 0) }
    }
    for _ in 0..<15 {
      var removers: [BackgroundThread] = []
      for kind in 0..<4 {
        let isGone = Tally()
        let handler: @Sendable () -> Void = {
          calls.add()
          if isGone.count == 1 { late.add() }
        }
        let request: ObserverRequest =
          switch kind {
          case 0: .readOnly(at: .record, params: [.record: params]) { _, _ in handler() }
          case 1: .readWrite(at: .record) { _, _ in handler() }
          case 2: .readWrite(at: .record, params: [.record: writing]) { _, _ in handler() }
          default: .readOnly(at: .record, isAsynchronous: true) { _, _ in handler() }
          }
        let registration = try rig.add(request)
        let before = calls.count
        try removers.append(
          BackgroundThread(named: "remover") {
            _ = eventually { calls.count > before + 3 }
            registration.remove()
            isGone.set(1)
          })
      }
      for remover in removers { remover.join() }
      try rig.hub.sweep()
      try rig.install()
    }
    stop.set(1)
    ticks.join()
    #expect(late.count == 0)
    #expect(rig.graph.nodes.count == 3)
    rig.tick(3)
    #expect(rig.runner.collect() == 1)
  }

  @Test("a removed and swept observer is released", arguments: [false, true])
  func nothingIsLeft(isWithin: Bool) throws {
    final class Token: Sendable {}
    let rig = try silentRig()
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, access: .readWrite, samplesPerCall: 160)
    let reading = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
    func requests(_ token: Token, _ box: Box<ObserverRegistration>) -> [ObserverRequest] {
      let handler: @Sendable () -> Void = { [token] in
        if isWithin { withExtendedLifetime(token) { box.value?.remove() } }
      }
      return [
        .readOnly(at: .record) { _, _ in handler() },
        .readOnly(at: .record, params: [.record: reading]) { _, _ in handler() },
        .readWrite(at: .record) { _, _ in handler() },
        .readWrite(at: .record, params: [.record: params]) { _, _ in handler() },
        .readOnly(at: .record, isAsynchronous: true) { _, _ in handler() },
      ]
    }
    for index in 0..<5 {
      weak var observer: Token?
      weak var leftRegistration: ObserverRegistration?
      // Held by the program: a removed registration does not keep its observer.
      var held: ObserverRegistration?
      do {
        let (token, box) = (Token(), Box<ObserverRegistration>())
        observer = token
        let registration = try rig.add(requests(token, box)[index])
        leftRegistration = registration
        held = registration
        box.value = registration
        rig.tick(3)
        if isWithin { #expect(eventually { registration.isRemoved }) } else { registration.remove() }
        box.value = nil
        try rig.hub.sweep()
      }
      #expect(
        try eventually {
          try rig.hub.sweep(); return observer == nil
        }, "kind \(index)")
      try rig.install()
      rig.tick(5)
      rig.runner.collect()
      #expect(held?.isRemoved == true)
      held = nil
      #expect(leftRegistration == nil, "kind \(index)")
    }
  }

  @Test("a sweep does not wait for the call of a removed observer")
  func sweepDoesNotWait() throws {
    final class Token: Sendable {}
    let rig = try silentRig()
    let (box, isRemoved, mayGoOn) = (Box<ObserverRegistration>(), Tally(), Tally())
    weak var left: Token?
    do {
      let token = Token()
      left = token
      box.value = try rig.add(
        .readOnly(at: .record, isAsynchronous: true) { [token] _, _ in
          withExtendedLifetime(token) {
            box.value?.remove()
            isRemoved.set(1)
            _ = eventually { mayGoOn.count == 1 }
          }
        })
    }
    rig.tick()
    #expect(eventually { isRemoved.count == 1 })
    #expect(try rig.hub.sweep())
    #expect(left != nil)
    try rig.install()
    mayGoOn.set(1)
    #expect(eventually { (try? rig.hub.sweep()) != nil && left == nil })
  }

  @Test("a released hub removes its observers")
  func hubGoesAway() throws {
    final class Token: Sendable {}
    weak var left: Token?
    let registration: ObserverRegistration
    do {
      let token = Token()
      left = token
      let rig = try silentRig()
      registration = try rig.add(.readOnly(at: .record, isAsynchronous: true) { _, _ in _ = token })
      rig.tick(2)
    }
    #expect(registration.isRemoved)
    #expect(left == nil)
  }

  @Test("a removed observer in the plan converts nothing and stalls nothing")
  func removedButNotSwept() throws {
    let rig = try silentRig(isOffline: true)
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
    let log = FrameLog()
    let asynchronous = try rig.hub.add(log.request(isAsynchronous: true, capacity: 2))
    let converting = try rig.hub.add(log.request(params: [.record: params]))
    try rig.install()
    asynchronous.remove()
    converting.remove()
    for _ in 0..<10 {
      #expect(rig.hub.hasRoom())
      rig.tick()
    }
    #expect(log.count == 0)
    #expect(asynchronous.droppedFrameCount == 0)
    #expect(asynchronous.mask == .record)
  }
}
