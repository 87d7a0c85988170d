// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS)
import UIKit

/// The alert that asks for user name and password.
@MainActor final class AlertPrompt {
    /// Where it is shown, if somebody said so.
    weak var presenter: UIViewController?

    nonisolated init() {}

    /// The one on top of what the foreground scene shows.
    static var topmostViewController: UIViewController? {
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        let scene = scenes.first { $0.activationState == .foregroundActive }
        var top = scene?.windows.first { $0.isKeyWindow }?.rootViewController
        while let presented = top?.presentedViewController, !presented.isBeingDismissed { top = presented }
        return top
    }

    func ask(_ text: PromptText) async -> (BasicCredential?, (any Error)?) {
        guard let presenter = presenter ?? Self.topmostViewController else {
            SAPDiagnostics.report(.error, "no view controller to ask for user name and password on")
            return (nil, BasicCredentialDiscoveryError.inconsistentState)
        }
        return await withCheckedContinuation { continuation in
            let answer = AnswerOnce<BasicCredential?>(hook: "alert") { credential in
                continuation.resume(returning: (credential, credential == nil ? BasicCredentialDiscoveryError.cancelled : nil))
            }
            let alert = CredentialAlert(text, answer)
            presenter.present(alert, animated: true)
        }
    }
}

/// Tells also when somebody else dismisses it.
private final class CredentialAlert: UIAlertController {
    private var answer: AnswerOnce<BasicCredential?>?

    convenience init(_ text: PromptText, _ answer: AnswerOnce<BasicCredential?>) {
        self.init(title: text.lines.first, message: text.lines.dropFirst().joined(separator: "\n"), preferredStyle: .alert)
        self.answer = answer
        addTextField { field in
            field.placeholder = "User name"
            field.textContentType = .username
            field.autocapitalizationType = .none
            field.autocorrectionType = .no
        }
        addTextField { field in
            field.placeholder = "Password"
            field.textContentType = .password
            field.isSecureTextEntry = true
        }
        addAction(UIAlertAction(title: "Cancel", style: .cancel) { [weak self] _ in self?.finish(nil) })
        addAction(
            UIAlertAction(title: "Sign In", style: .default) { [weak self] _ in
                let values = (self?.textFields ?? []).map { $0.text ?? "" }
                self?.finish(values.count == 2 ? BasicCredential(username: values[0], password: values[1]) : nil)
            })
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        finish(nil)
    }

    private func finish(_ credential: BasicCredential?) {
        answer?.give(credential)
        answer = nil
    }
}
#endif
