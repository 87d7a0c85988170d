// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import SAPFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The acceptance test of the terminal prompt, by number, on a pseudo-terminal.
@Suite(.timeLimit(.minutes(1)))
struct TerminalAcceptanceTests {
    private final class NoSender: NSObject, URLAuthenticationChallengeSender, Sendable {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }

    private static func text(realm: String? = "Orders", failures: Int = 0, host: String = "api.example.com", port: Int = 8443) -> PromptText
    {
        let space = URLProtectionSpace(
            host: host, port: port, protocol: "https", realm: realm, authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        return PromptText(
            URLAuthenticationChallenge(
                protectionSpace: space, proposedCredential: nil, previousFailureCount: failures, failureResponse: nil, error: nil,
                sender: NoSender()))
    }

    /// Runs the prompt on a thread of its own, as the discovery does, and `person` beside it.
    private func ask(
        _ terminal: PseudoTerminal, _ text: PromptText, interrupt: @escaping @Sendable () -> Void = {},
        person: @escaping @Sendable () -> Void
    ) async -> Result<BasicCredential, any Error> {
        let prompt = TerminalPrompt(path: terminal.path, interrupt: interrupt)
        let isDone = EventRecorder<Void>()
        let result = await callbackValue { callback in
            Thread.detachNewThread { callback(Result { try prompt.ask(text) }) }
            Thread.detachNewThread {
                person()
                isDone.record(())
            }
        }
        _ = try? await isDone.wait(for: 1)
        return result
    }

    @Test func `19: the dialogue goes over the terminal; the password is not echoed, and the terminal is as before`() async throws {
        let terminal = try PseudoTerminal()
        let shown = Locked<[String]>([])
        let echoedDuringPassword = Locked<Bool?>(nil)

        let result = await ask(terminal, Self.text(failures: 1)) {
            let head = terminal.read(until: "User name: ")
            terminal.type("alice\n")
            let middle = terminal.read(until: "Password: ")
            while terminal.echoes { sched_yield() }
            echoedDuringPassword.withLock { $0 = terminal.echoes }
            terminal.type("pässx\u{7F}\u{7F}\u{7F}swort\r")
            let tail = terminal.read(until: "\n")
            shown.withLock { $0 = [head, middle, tail] }
        }

        #expect(try result.get() == BasicCredential(username: "alice", password: "päswort"))
        let texts = shown.withLock { $0 }.map { $0.replacingOccurrences(of: "\r\n", with: "\n") }
        #expect(
            texts.first
                == "Authentication required\n  Host:  api.example.com:8443\n  Realm: \"Orders\"\n  The last entry was refused.\nUser name: "
        )
        #expect(texts.dropFirst().first == "alice\nPassword: ")
        #expect(texts.last == "\n")
        #expect(echoedDuringPassword.withLock { $0 } == false)
        #expect(terminal.isSane)
    }

    @Test(arguments: [("\u{4}", false), ("\u{3}", true)])
    func `19: giving up restores the terminal`(key: String, interrupts: Bool) async throws {
        let terminal = try PseudoTerminal()
        let interrupted = Locked(false)
        let saneWhenInterrupted = Locked<Bool?>(nil)

        let result = await ask(terminal, Self.text()) {
            interrupted.withLock { $0 = true }
            saneWhenInterrupted.withLock { $0 = terminal.isSane }
        } person: {
            _ = terminal.read(until: "User name: ")
            terminal.type("alice\n")
            _ = terminal.read(until: "Password: ")
            while terminal.echoes { sched_yield() }
            terminal.type(key)
        }

        #expect(throws: BasicCredentialDiscoveryError.cancelled) { try result.get() }
        #expect(interrupted.withLock { $0 } == interrupts)
        #expect(saneWhenInterrupted.withLock { $0 } != false)
        #expect(terminal.isSane)
    }

    @Test func `19: an error restores the terminal`() async throws {
        let terminal = try PseudoTerminal()
        let result = await ask(terminal, Self.text()) {
            _ = terminal.read(until: "User name: ")
            terminal.type("alice\n")
            _ = terminal.read(until: "Password: ")
            while terminal.echoes { sched_yield() }
            terminal.type([0xFF, 0xFE, 0x0D])
        }
        #expect(throws: BasicCredentialDiscoveryError.inconsistentState) { try result.get() }
        #expect(terminal.isSane)
    }

    @Test func `19: a user name with a colon is asked for three times; the end of the input gives up`() async throws {
        let terminal = try PseudoTerminal()
        let result = await ask(terminal, Self.text()) {
            for _ in 0..<3 {
                _ = terminal.read(until: "User name: ")
                terminal.type("a:b\n")
            }
        }
        #expect(throws: BasicCredentialDiscoveryError.cancelled) { try result.get() }

        let other = try PseudoTerminal()
        let ended = await ask(other, Self.text()) {
            _ = other.read(until: "User name: ")
            other.type("\u{4}")
        }
        #expect(throws: BasicCredentialDiscoveryError.cancelled) { try ended.get() }
    }

    @Test func `19: a realm with escape sequences, or without end, is shown harmless`() {
        #expect(PromptText.harmless("a\u{1B}[2J\u{202E}b\u{7}\nc") == "a[2Jbc")
        #expect(PromptText.harmless(String(repeating: "x", count: 1000)).count == 64)
        #expect(Self.text(realm: nil).lines == ["Authentication required", "  Host:  api.example.com:8443"])
        #expect(Self.text(host: "api.example.com", port: 443).host == "api.example.com")
        #expect(Self.text(host: "аpple.com", port: 443).host.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `19: without a terminal there is an error that says what to do, at once`() async throws {
        let discovery = DefaultBasicCredentialDiscovery(terminal: TerminalPrompt(path: "/nonexistent/tty"))
        let server = try TestServer.guarded()
        let session = SAPURLSession()
        session.register(
            BasicAuthenticationObserver(basicCredentialDiscovery: discovery, basicCredentialStore: InMemoryBasicCredentialStore()))
        let start = ContinuousClock.now

        let outcome = await session.outcome(of: server.url("/"))

        guard case .noTerminal(let host)? = outcome.error as? BasicCredentialPromptError else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
        #expect(host == "127.0.0.1:\(server.port)")
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `19: a process without a controlling terminal, as after setsid, gets that error from /dev/tty itself`() async throws {
        await #expect(processExitsWith: .success) {
            // A child that leads a session of its own has no terminal; a process group's leader cannot become one, and has none in a test run.
            setsid()
            do {
                _ = try TerminalPrompt().ask(Self.text())
                exit(1)
            } catch BasicCredentialPromptError.noTerminal {
                exit(0)
            } catch {
                exit(2)
            }
        }
    }

    #if os(Linux)
    @Test func `19: a process in the background of its terminal does not read from it, and says so`() async throws {
        await #expect(processExitsWith: .success) {
            let terminal = try PseudoTerminal()
            // Whoever leads a session gets the first terminal that it opens, and is in the foreground of it.
            guard setsid() != -1 else { exit(10) }
            let own = open(terminal.path, O_RDWR)
            guard own >= 0, tcgetpgrp(own) == getpgrp() else { exit(11) }
            let other = try OtherGroup()
            guard tcsetpgrp(own, other.process) == 0 else { exit(12) }
            defer { other.end() }
            do {
                _ = try TerminalPrompt().ask(Self.text())
                exit(1)
            } catch BasicCredentialPromptError.notInForeground(let host) {
                exit(host == "api.example.com:8443" && terminal.isBlank ? 0 : 2)
            } catch {
                exit(3)
            }
        }
    }

    /// A process in a group of its own, which waits for its input to end.
    private struct OtherGroup {
        let process: pid_t
        private let input: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw PseudoTerminal.Failure() }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
            posix_spawn_file_actions_addclose(&actions, ends[1])
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
            posix_spawnattr_setpgroup(&attributes, 0)
            defer {
                posix_spawn_file_actions_destroy(&actions)
                posix_spawnattr_destroy(&attributes)
                close(ends[0])
            }
            var process: pid_t = 0
            let name = strdup("cat")
            defer { free(name) }
            guard posix_spawnp(&process, "cat", &actions, &attributes, [name, nil], environ) == 0 else { throw PseudoTerminal.Failure() }
            self.process = process
            input = ends[1]
        }

        func end() {
            close(input)
            waitpid(process, nil, 0)
        }
    }
    #endif

    @Test(arguments: ["User name: ", "Password: "])
    func `19: a terminal that is hung up is an error, not a person who gives up`(question: String) async throws {
        let terminal = try PseudoTerminal()
        let result = await ask(terminal, Self.text()) {
            _ = terminal.read(until: "User name: ")
            if question != "User name: " {
                terminal.type("alice\n")
                _ = terminal.read(until: question)
            }
            terminal.hangUp()
        }
        #expect(result.inputFailure == EIO)
    }

    @Test func `19: what is no terminal is an error`() {
        let result = Result { try TerminalPrompt(path: "/dev/null").ask(Self.text()) }
        #expect(result.inputFailure == ENOTTY)
    }

    @Test func `19: a caller learns that the terminal was hung up, and the next prompt has its turn`() async throws {
        let server = try TestServer.guarded()
        for _ in 0..<2 {
            let terminal = try PseudoTerminal()
            let session = SAPURLSession()
            session.register(
                BasicAuthenticationObserver(
                    basicCredentialDiscovery: DefaultBasicCredentialDiscovery(terminal: TerminalPrompt(path: terminal.path)),
                    basicCredentialStore: InMemoryBasicCredentialStore()))
            Thread.detachNewThread {
                _ = terminal.read(until: "User name: ")
                terminal.hangUp()
            }

            let outcome = await session.outcome(of: server.url("/"))

            guard case .inputFailed(EIO)? = outcome.error as? BasicCredentialPromptError else {
                Issue.record("unexpected error: \(String(describing: outcome.error))")
                continue
            }
            #expect(outcome.error?.localizedDescription.contains("put the credential in the store") == true)
        }
    }
}

extension Result {
    /// The number of the system's error in ``BasicCredentialPromptError/inputFailed(errno:)``.
    fileprivate var inputFailure: Int32? {
        guard case .failure(let error) = self, case .inputFailed(let number)? = error as? BasicCredentialPromptError else { return nil }
        return number
    }
}
#endif
